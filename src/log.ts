import { createRequire } from 'node:module'
import { type DestinationStream, type Logger, pino } from 'pino'
import { errorForLog } from './errorForLog.ts'

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
  if (!pretty) return pino(options, pino.destination(buffered))
  return pino({
    ...options,
    transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } },
  })
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name)
    return true
  } catch {
    return false
  }
}
