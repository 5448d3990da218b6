interface LoggedError {
  readonly type: string
  readonly message: string
  readonly code?: string
  readonly constraint?: string
  readonly stack?: string
  readonly cause?: LoggedError
}

const causesMax = 5

/** SQLSTATEs of errors whose messages quote the value. */
const quotingStates = /^(22|P0)...$/
const quotingTypes = new Set(['SyntaxError', 'RangeError', 'ZodError', '$ZodError'])
const secrets = /pk_live_\w+|eyJ[\w-]+\.[\w-]+\.[\w-]*|[^\s@"']+@[^\s@"']+\.[^\s@"']+/g

/** Returns the safe parts of an error; other fields may contain statement values or rows. */
export function errorForLog(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error' }
  const { code, constraint, cause } = error as Error & { code?: unknown; constraint?: unknown }
  const stack = framesOf(error)
  return {
    type: error.constructor.name,
    message: safeMessage(error),
    ...(typeof code === 'string' && { code }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(stack !== undefined && { stack }),
    ...(cause instanceof Error && depth < causesMax && { cause: errorForLog(cause, depth + 1) }),
  }
}

function safeMessage(error: Error): string {
  const { code, query } = error as Error & { code?: unknown; query?: unknown }
  // Drizzle's message has the parameters after the statement.
  if (typeof query === 'string') return `Failed query: ${query}`
  if (typeof code === 'string' && quotingStates.test(code)) return 'a value was rejected'
  if (quotingTypes.has(error.constructor.name)) return 'something could not be read'
  return error.message.replace(secrets, '…')
}

/** Returns the stack without the message, which may have several lines. */
function framesOf({ stack, message }: Error): string | undefined {
  if (stack === undefined) return undefined
  const start = stack.indexOf(message)
  return (start < 0 ? stack : stack.slice(start + message.length))
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
}
