/** What a log keeps of an error: what happened and where, never what a caller sent. */
interface LoggedError {
  readonly type: string
  readonly message: string
  readonly code?: string
  readonly constraint?: string
  readonly stack?: string
  readonly cause?: LoggedError
}

const causesMax = 5

/** PostgreSQL's data exceptions and what functions raise: their messages quote the value. */
const quotingStates = /^(22|P0)...$/
/** Parsers quote what they could not read. */
const quotingTypes = new Set(['SyntaxError', 'RangeError', 'ZodError', '$ZodError'])
const secrets = /pk_live_\w+|eyJ[\w-]+\.[\w-]+\.[\w-]*|[^\s@"']+@[^\s@"']+\.[^\s@"']+/g

/**
 * Describes an error by what is known to be harmless. pg's errors carry rows and parameters
 * (`detail`, `where`), Drizzle's and ioredis's the values of the statement: none of those is taken.
 */
export function errorForLog(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error' }
  const { code, constraint, cause } = error as Error & { code?: unknown; constraint?: unknown }
  const stack = framesOf(error)
  return {
    type: error.constructor.name,
    message: harmlessMessage(error),
    ...(typeof code === 'string' && { code }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(stack !== undefined && { stack }),
    ...(cause instanceof Error && depth < causesMax && { cause: errorForLog(cause, depth + 1) }),
  }
}

function harmlessMessage(error: Error): string {
  const { code, query } = error as Error & { code?: unknown; query?: unknown }
  // Drizzle's message lists the parameters behind the statement.
  if (typeof query === 'string') return `Failed query: ${query}`
  if (typeof code === 'string' && quotingStates.test(code)) return 'a value was refused'
  if (quotingTypes.has(error.constructor.name)) return 'something could not be read'
  return error.message.replace(secrets, '…')
}

/** The stack begins with the message, which may have any number of lines. */
function framesOf({ stack, message }: Error): string | undefined {
  if (stack === undefined) return undefined
  const start = stack.indexOf(message)
  return (start < 0 ? stack : stack.slice(start + message.length))
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
}
