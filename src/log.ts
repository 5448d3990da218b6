import { createRequire } from 'node:module'
import { type Logger, pino } from 'pino'

/** JSON lines on stdout, or readable ones when a person is watching and pino-pretty is installed. */
export function createLog(level: string): Logger {
  const pretty = process.stdout.isTTY && isInstalled('pino-pretty')
  if (!pretty) return pino({ level })
  return pino({
    level,
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
