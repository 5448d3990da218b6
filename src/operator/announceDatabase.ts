import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import pg from 'pg'
import { parseConfig } from '../config.ts'
import { nameOf } from './command.ts'

/** The commands that change nothing; any other says first which database it is about to change. */
const readers = new Set([
  'tenants list',
  'tenants show',
  'keys list',
  'keys show',
  'bookings list',
  'bookings show',
  'bookings watch',
  'fleet export',
  'fleet show',
  'quotes explain',
  'site config',
  'audit',
  'conform',
])

/** The database of `environment` in one line, without its password; nothing where none is changed. */
export function databaseToAnnounce(
  command: CommandUnknownOpts,
  environment: NodeJS.ProcessEnv,
): string {
  if (readers.has(nameOf(command)) || command.opts()['dryRun'] === true) return ''
  const { databaseUrl, databaseDirectUrl, dataDir } = parseConfig(environment)
  const url = databaseDirectUrl ?? databaseUrl
  if (url === undefined) return `Database: the embedded one in ${dataDir}\n`
  const { database, host, port, user } = new pg.Client({ connectionString: url })
  return `Database: ${database} at ${host}:${port}, as ${user}\n`
}

/**
 * The environment for a command that was told its database by `--database-url`: nothing of what
 * names one there is left, so that no command reaches another one by its direct address.
 */
export function environmentFor(
  environment: NodeJS.ProcessEnv,
  databaseUrl: string | undefined,
): NodeJS.ProcessEnv {
  if (databaseUrl === undefined) return environment
  const named = /^DATABASE(_DIRECT)?_URL(_FILE)?$/
  const others = Object.entries(environment).filter(([name]) => !named.test(name))
  return { ...Object.fromEntries(others), DATABASE_URL: databaseUrl }
}
