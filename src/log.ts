import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type DestinationStream, type Logger, pino } from 'pino'
import { fileTrouble } from './base/disk.ts'
import { errorForLog } from './base/errorForLog.ts'
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
  const pretty = destination === undefined && process.stdout.isTTY && isInstalled('pino-pretty')
  if (!pretty) return pino(options, destination ?? gathered(process.stdout.fd))
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
