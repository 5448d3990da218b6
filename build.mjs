// Makes `dist`, or the directory of the first argument: a few files in place of the 750 of our modules
// and packages. To find and read those took Node half of each start (decision 434).
import { build } from 'rolldown'

const [dir = 'dist', ...more] = process.argv.slice(2)
await build({
  input: ['src/server.ts', 'src/cli.ts', ...more],
  platform: 'node',
  // One looks for files beside its own, the other is asked for in vain.
  external: ['pino', 'pg-native'],
  output: { dir, cleanDir: true, sourcemap: true },
})
