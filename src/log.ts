import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type DestinationStream, type Logger, pino } from 'pino'
import { fileTrouble } from './base/disk.ts'
import { hasCode } from './base/hasCode.ts'

/**
 * Lines are written some at a time, since a system call for each costs more than the line. What a
 * crash leaves is written on the way out; only SIGKILL loses the last fifth of a second.
 */
const flushBytes = 8 * 1024
const flushAfterMs = 200
/** A reader who is too slow loses lines rather than holding requests up. */
const bytesMax = 16 * 1024 * 1024
/** How long the last lines wait for a slow reader. */
const lastWriteMs = 1_000

/**
 * JSON lines on stdout, or readable ones when a person is watching and pino-pretty is installed.
 * Nothing in them says who a customer is or what a key is, errors included.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = { level, serializers: { err: (error: unknown) => errorForLog(error) } }
  if (destination !== undefined) return pino(options, destination)
  const pretty = process.stdout.isTTY && isInstalled('pino-pretty')
  if (!pretty) return pino(options, gathered(process.stdout.fd))
  return pino({
    ...options,
    transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', singleLine: true } },
  })
}

/**
 * Hands lines to pino's writer some at a time; with its own `minLength` that would join and measure
 * all it holds at every line. While what it writes to is full, the server goes on without its log and
 * says so on stderr; those lines are tried again with the next ones (decision 379).
 */
function gathered(fd: number): DestinationStream {
  const writer = pino.destination({ dest: fd, sync: false, maxLength: bytesMax })
  let lines = ''
  let timer: NodeJS.Timeout | undefined
  const pass = () => {
    clearTimeout(timer)
    timer = undefined
    writer.write(lines)
    lines = ''
  }
  const { flushSync } = writer
  let failed = false
  const fail = (error: unknown) => {
    // That nobody reads any more is no trouble of ours.
    if (!failed && !hasCode(error, 'EPIPE')) {
      process.stderr.write(`Can't write the log: ${fileTrouble(error) ?? String(error)}.\n`)
    }
    failed = true
    // On the way out it would be tried for ever.
    writer.flushSync = () => {}
  }
  writer.on('error', fail)
  writer.on('write', () => {
    failed = false
    writer.flushSync = flushSync
  })
  process.on('exit', () => {
    if (failed) return
    try {
      // After the writer's own end, which pino has registered before.
      writeLast(fd, lines)
    } catch (error) {
      fail(error)
    }
  })
  return {
    write(line) {
      lines += line
      if (lines.length >= flushBytes) pass()
      else timer ??= setTimeout(pass, flushAfterMs).unref()
    },
  }
}

function writeLast(fd: number, lines: string): void {
  const endsAtMs = performance.now() + lastWriteMs
  for (let rest = Buffer.from(lines); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(fd, rest))
    } catch (error) {
      if (!hasCode(error, 'EAGAIN') || performance.now() > endsAtMs) throw error
    }
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
