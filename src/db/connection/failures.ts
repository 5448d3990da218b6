import { hasErrorCode } from '../../domain/hasErrorCode.ts'

/** The SQLSTATEs that callers look for. */
export const sqlState = {
  noPrivilege: '42501',
  noTable: '42P01',
  noSchema: '3F000',
  noColumn: '42703',
  cancelled: '57014',
  lockNotFree: '55P03',
  deadlock: '40P01',
  conflict: '40001',
} as const

/**
 * What PostgreSQL, by SQLSTATE, and the system say when they mean "not now". The answer is then 503
 * with nothing recorded (decision 33): whether it happened or not, the retry finds the truth.
 */
const unavailableCodes = [
  /^08...$/, // the connection was lost
  /^53...$/, // no memory, disk or connection is left
  /^58...$/, // the server's system failed it
  /^(28...|3D000|55000)$/, // it lets us in no more: our role or the database was changed
  /^57(P0[1-5]|014)$/, // the server is shutting down, or the statement took too long
  /^55P03$/, // a lock was not free in time
  /^40(001|P01)$/, // two transactions got in each other's way
  /^26000$/, // what was to prepare the statement, just before on the connection, has failed
  /^25(006|P0[34])$/, // the database is read-only, or the transaction waited too long
  /^(42P01|42501|42883|3F000)$/, // our tables are out of reach: a restore, or missing grants
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT)$/, // nobody answers, or no longer
  /^(EPROTO$|ERR_(TLS|SSL)_|CERT_|UNABLE_TO_|(DEPTH_ZERO_)?SELF_SIGNED_CERT)/, // none is trusted
]

/** Whatever the system says when it does not connect us: nobody is there, or we may not go there. */
const connecting = /^(connect|getaddrinfo)$/

/** What the driver and the pool say when no answer came at all. */
const unavailableMessages =
  /timeout exceeded when trying to connect|timeout expired|^SASL: |Query read timeout|Connection terminated|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|server does not support SSL connections|establishing an SSL connection/

/** Whether a database call failed for a reason that passes, so that the caller should try again. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (unavailableCodes.some((codes) => codes.test(code))) return true
  if ('syscall' in error && connecting.test(String(error.syscall))) return true
  if (unavailableMessages.test(error.message)) return true
  // Drizzle wraps what the driver threw; several refused addresses come as one AggregateError.
  const causes = error instanceof AggregateError ? error.errors : [error.cause]
  return causes.some(isDatabaseUnavailable)
}

/** SQLSTATEs that PostgreSQL also gives when a session ends while its commit is under way. */
const unknownStates = /^(08...|57P..|40003)$/

/** Whether PostgreSQL said itself that a statement failed; otherwise it may be committed. */
export function isRolledBack(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && !unknownStates.test(codeOf(error))
}

/** Whether PostgreSQL refused what it was given (a value, a constraint): nothing of it is stored. */
export function isDataRefused(error: unknown): boolean {
  return isRolledBack(error) && /^2[23]/.test(codeOf(error as Error))
}

const conflictRetriesMax = 3

/**
 * Runs a whole transaction, on one connection, again if serialization or a deadlock ended it.
 * Nothing else is repeated: after any other failure nobody knows whether it was committed.
 */
export async function retryConflicts<T>(transaction: () => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries++) {
    try {
      return await transaction()
    } catch (error) {
      const mayRunAgain = hasErrorCode(error, sqlState.conflict, sqlState.deadlock)
      if (!mayRunAgain || retries === conflictRetriesMax) throw error
    }
  }
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}
