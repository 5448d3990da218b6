// Bundles the server and the command line into `dist`, or into the directory of the first argument.
// Node starts much faster with a few bundled files than with hundreds of modules.
import { build } from 'rolldown'

const [dir = 'dist', ...more] = process.argv.slice(2)
await build({
  input: ['src/server.ts', 'src/cli.ts', ...more],
  platform: 'node',
  // pino loads files from its own directory; pg-native is optional and not installed.
  external: ['pino', 'pg-native'],
  output: { dir, cleanDir: true, sourcemap: true },
})
