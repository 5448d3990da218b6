import pg from 'pg'
import { ConfigError, type OperatorConfig } from '../config/environment.ts'
import { isDatabaseUnavailable } from '../db/connection/failures.ts'
import { MigrationError } from '../db/connection/operatorSession.ts'
import { EmbeddedPostgresError } from '../embedded/errors.ts'
import { FleetFileError } from '../fleet/fleetFileError.ts'
import { OperatorError } from '../services/operatorError.ts'

const operatorErrors = [
  OperatorError,
  FleetFileError,
  ConfigError,
  EmbeddedPostgresError,
  MigrationError,
]

/** Formats the error that ended a program; unexpected errors include their stack. */
export function formatFatalError(error: unknown, config: () => OperatorConfig): string {
  if (!(error instanceof Error)) return String(error)
  if (operatorErrors.some((known) => error instanceof known)) return error.message
  if (isDatabaseUnavailable(error)) {
    return `The database is unavailable: ${reasonOf(error)}${whereOf(error, config)}`
  }
  return `Unexpected error: ${error.stack ?? error.message}`
}

/** Returns the database's address for errors of the driver, whose messages lack it. */
function whereOf(error: Error, config: () => OperatorConfig): string {
  if (!/Connection terminated|timeout (exceeded|expired)|Query read timeout/.test(reasonOf(error)))
    return ''
  const { databaseUrl, databaseDirectUrl, dataDir } = config()
  const url = databaseDirectUrl ?? databaseUrl
  if (url === undefined) return `. Is the embedded database in ${dataDir} still running?`
  const { host, port } = new pg.Client({ connectionString: url })
  return `. Is PostgreSQL at ${host}:${port}?`
}

/**
 * Returns the reason of a connection error. Drizzle wraps errors, and a host with several addresses
 * fails once for each.
 */
function reasonOf(error: Error): string {
  const cause = error.cause instanceof Error ? error.cause : error
  const [first] = cause instanceof AggregateError ? cause.errors : []
  const reason: string = cause.message || first?.message || 'no connection'
  return reason.replace(
    /^SASL.* password must be .*/,
    'a password is required, and the URL has none',
  )
}
