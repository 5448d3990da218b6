import { createRequire } from 'node:module'
import { type DestinationStream, type Logger, pino } from 'pino'
import { describeFsError } from '../config/files.ts'
import { errorForLog } from './errorForLog.ts'

/**
 * Lines are written some at a time, since a system call for each costs more than the line. What a
 * crash leaves is written on the way out; only SIGKILL loses the last fifth of a second.
 */
const flushBytes = 8 * 1024
const flushAfterMs = 200
/** A reader who is too slow loses lines rather than holding requests up. */
const bytesMax = 16 * 1024 * 1024

/**
 * JSON lines on stdout, or readable ones when a person is watching and pino-pretty is installed.
 * Nothing in them says who a customer is or what a key is, errors included.
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
  // A full disk under the log must not end the server.
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
