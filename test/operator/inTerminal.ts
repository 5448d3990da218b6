import { dirname, join } from 'node:path'
import { compiledServer } from '../helpers/compiledServer.ts'
import { openTerminal } from '../helpers/terminal.ts'

/** Runs a command in a terminal of its own, after a line of shell that sets that up. */
export async function inTerminal(databaseUrl: string, argv: readonly string[], setUp = ':') {
  const program = join(dirname(await compiledServer()), 'cli.js')
  const command = ['sh', '-c', `${setUp}; exec "$@"`, 'sh', process.execPath, program, ...argv]
  return openTerminal(command, { DATABASE_URL: databaseUrl })
}
