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

const serializers = { err: (error: unknown) => errorForLog(error) }

/**
 * JSON lines on stdout, or readable ones when a person is watching and pino-pretty is installed.
 * Nothing in them says who a customer is or what a key is, errors included.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  if (destination !== undefined) return pino({ level, serializers }, destination)
  const pretty = process.stdout.isTTY && isInstalled('pino-pretty')
  if (!pretty) return pino({ level, serializers }, pino.destination(buffered))
  return pino({
    level,
    serializers,
    transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } },
  })
}

/**
 * Writes info lines of one message, for what is logged with every answer: the line that the logger
 * itself would write, made by JSON.stringify in a third of the time. Fields are plain values.
 */
export function lineWriter(log: Logger, message: string): (fields: object) => void {
  const { chindingsSym, streamSym } = pino.symbols
  const stream = (log as unknown as Record<symbol, DestinationStream>)[streamSym]
  const bindings = (log as unknown as Record<symbol, string>)[chindingsSym]
  if (stream === undefined) throw new Error('Bug: a logger without a destination')
  const head = `{"level":${log.levels.values['info']},"time":`
  const tail = `,"msg":${JSON.stringify(message)}}\n`
  return (fields) => {
    if (!log.isLevelEnabled('info')) return
    stream.write(`${head}${Date.now()}${bindings},${JSON.stringify(fields).slice(1, -1)}${tail}`)
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
