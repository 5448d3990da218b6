declare module '*.css' {
  const text: string
  // biome-ignore lint/style/noDefaultExport: what a bundler makes of a file has no other.
  export default text
}
