// Bundles the server and the command line into `dist`, or into the directory of the first argument.
// Node starts much faster with a few bundled files than with hundreds of modules.
const { build } = await import('rolldown').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  process.stderr.write(
    'Building needs the development packages, which npm leaves out with NODE_ENV=production. ' +
      'Run `npm ci --include=dev` first.\n',
  )
  process.exit(1)
})

const [dir = 'dist', ...more] = process.argv.slice(2)
await build({
  input: ['src/server.ts', 'src/cli.ts', ...more],
  platform: 'node',
  // pino loads files from its own directory; pg-native is optional and not installed.
  external: ['pino', 'pg-native'],
  output: { dir, cleanDir: true, sourcemap: true },
})
