import { createRequire } from 'node:module'
import { type DestinationStream, type Logger, pino } from 'pino'
import { describeFsError } from '../config/files.ts'
import { errorForLog } from './errorForLog.ts'

/**
 * Buffers lines, because a system call for each line is slow. Only SIGKILL loses buffered lines.
 */
const flushBytes = 8 * 1024
const flushAfterMs = 200
/** If stdout is read too slowly, lines beyond this buffer are dropped. */
const bytesMax = 16 * 1024 * 1024

/**
 * Creates a logger that writes JSON lines to stdout, or readable lines to a terminal if pino-pretty
 * is installed. Errors are logged without customer data and keys.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = { level, serializers: { err: (error: unknown) => errorForLog(error) } }
  const pretty = destination === undefined && process.stdout.isTTY && isInstalled('pino-pretty')
  if (!pretty) return pino(options, destination ?? bufferedStdout())
  return pino({
    ...options,
    transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', singleLine: true } },
  })
}

function bufferedStdout(): DestinationStream {
  const stdout = pino.destination({
    dest: process.stdout.fd,
    sync: false,
    minLength: flushBytes,
    periodicFlush: flushAfterMs,
    maxLength: bytesMax,
  })
  // A full disk must not end the server.
  stdout.on('error', (error: unknown) => {
    process.stderr.write(`Can't write the log: ${describeFsError(error) ?? String(error)}.\n`)
  })
  return stdout
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name)
    return true
  } catch {
    return false
  }
}
