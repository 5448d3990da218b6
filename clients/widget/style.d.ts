declare module '*.css' {
  const text: string
  // biome-ignore lint/style/noDefaultExport: the bundler provides only a default export.
  export default text
}
