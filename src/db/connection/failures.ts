import { hasErrorCode } from '../../domain/hasErrorCode.ts'

export const sqlState = {
  noPrivilege: '42501',
  noTable: '42P01',
  noColumn: '42703',
  cancelled: '57014',
  lockNotAvailable: '55P03',
  deadlock: '40P01',
  conflict: '40001',
} as const

/** The role, the database or the permission to connect was changed. */
const loginRejected = /^(28...|3D000|55000)$/

/**
 * SQLSTATE and system error codes of temporary failures. The API then responds with 503 and records
 * nothing, because a retry returns the correct result whether or not the transaction committed.
 */
const unavailableCodes = [
  /^08...$/, // connection lost
  /^53...$/, // out of memory, disk space or connections
  /^58...$/, // system error on the server
  loginRejected,
  /^57(P0[1-5]|014)$/, // server is shutting down, or statement timeout
  /^55P03$/, // lock timeout
  /^40(001|P01)$/, // serialization failure or deadlock
  /^26000$/, // the pipelined PREPARE before this statement failed
  /^25(006|P0[34])$/, // read-only database, or idle transaction timeout
  /^(42P01|42501|42883|3F000)$/, // tables missing during a restore, or missing grants
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT)$/, // server unreachable, or connection closed
  /^(EPROTO$|ERR_(TLS|SSL)_|CERT_|UNABLE_TO_|(DEPTH_ZERO_)?SELF_SIGNED_CERT)/, // TLS failure, such as an untrusted certificate
]

/** System calls whose failure means that no connection could be opened. */
const connecting = /^(connect|getaddrinfo)$/

/** Messages of the driver and the pool for failures without an error code. */
const unavailableMessages =
  /timeout exceeded when trying to connect|timeout expired|^SASL: |Query read timeout|Connection terminated|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|server does not support SSL connections|establishing an SSL connection/

/** Reports whether a database call failed for a temporary reason, so that a retry makes sense. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (unavailableCodes.some((pattern) => pattern.test(code))) return true
  if ('syscall' in error && connecting.test(String(error.syscall))) return true
  if (unavailableMessages.test(error.message)) return true
  // Drizzle wraps the driver's error. A host with several addresses fails with an AggregateError.
  const causes = error instanceof AggregateError ? error.errors : [error.cause]
  return causes.some(isDatabaseUnavailable)
}

/** Reports whether PostgreSQL responded, but does not let this role into this database. */
export function isLoginRejected(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // The driver reports a missing password itself, and a role without the right to connect is fatal.
  const isFatal = 'severity' in error && error.severity === 'FATAL'
  return (
    loginRejected.test(codeOf(error)) ||
    error.message.startsWith('SASL: ') ||
    (isFatal && hasErrorCode(error, sqlState.noPrivilege))
  )
}

/** SQLSTATE codes that PostgreSQL can return although the transaction has committed. */
const unknownStates = /^(08...|57P..|40003)$/

/** Reports whether a failed statement was certainly rolled back. If false, it may be committed. */
export function isRolledBack(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && !unknownStates.test(codeOf(error))
}

/** Reports whether PostgreSQL rejected a value or a constraint failed. Nothing is stored then. */
export function isDataRejected(error: unknown): boolean {
  return isRolledBack(error) && /^2[23]/.test(codeOf(error as Error))
}

const conflictRetriesMax = 3

/**
 * Runs a whole transaction, and retries it after a serialization failure or a deadlock. Other
 * failures are not retried, because the transaction may have committed.
 */
export async function retryConflicts<T>(transaction: () => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries++) {
    try {
      return await transaction()
    } catch (error) {
      const isRetryable = hasErrorCode(error, sqlState.conflict, sqlState.deadlock)
      if (!isRetryable || retries === conflictRetriesMax) throw error
    }
  }
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}
