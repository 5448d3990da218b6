import { createRequire } from 'node:module'
import { type DestinationStream, type Logger, pino } from 'pino'
import { fileTrouble } from './disk.ts'

/**
 * Lines are written some at a time, since a system call for each costs more than the line. What a
 * crash leaves is written on the way out; only SIGKILL loses the last fifth of a second. A reader
 * who is too slow loses lines rather than holding requests up.
 */
const buffered = {
  sync: false,
  minLength: 8 * 1024,
  periodicFlush: 200,
  maxLength: 16 * 1024 * 1024,
}

/**
 * JSON lines on stdout, or readable ones when a person is watching and pino-pretty is installed.
 * Nothing in them says who a customer is or what a key is, errors included.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = { level, serializers: { err: (error: unknown) => errorForLog(error) } }
  if (destination !== undefined) return pino(options, destination)
  const pretty = process.stdout.isTTY && isInstalled('pino-pretty')
  if (!pretty) return pino(options, gathered(outlasting(pino.destination(buffered))))
  return pino({
    ...options,
    transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', singleLine: true } },
  })
}

type Writer = ReturnType<typeof pino.destination>

/**
 * While what it writes to is full, a server goes on without its log, and says so on stderr (decision
 * 379). The lines are tried again with the next ones, but not on the way out: that would be for ever.
 */
function outlasting(writer: Writer): Writer {
  const { flushSync } = writer
  const giveUp = () => {}
  writer.on('error', (error) => {
    if (writer.flushSync === giveUp) return
    process.stderr.write(`Can't write the log: ${fileTrouble(error) ?? error.message}.\n`)
    writer.flushSync = giveUp
  })
  writer.on('write', () => {
    writer.flushSync = flushSync
  })
  return writer
}

/** Hands a turn's lines to the writer as one piece: at each write it measures all that it holds. */
function gathered(writer: Writer): DestinationStream {
  let lines = ''
  const pass = () => {
    writer.write(lines)
    lines = ''
  }
  process.on('exit', () => {
    pass()
    writer.flushSync()
  })
  return {
    write(line) {
      if (lines === '') setImmediate(pass)
      lines += line
    },
  }
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name)
    return true
  } catch {
    return false
  }
}

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
