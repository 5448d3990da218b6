import { InvalidArgumentError } from '@commander-js/extra-typings'
import { daySeconds, hourSeconds, minuteSeconds } from '../domain/units.ts'

const unitSeconds: Readonly<Record<string, number>> = {
  s: 1,
  m: minuteSeconds,
  h: hourSeconds,
  d: daySeconds,
}
const secondsMax = 366 * daySeconds

/**
 * Seconds, from `90s`, `30m`, `12h`, `7d` or `0`.
 * @throws InvalidArgumentError for anything else, and for more than 366 days
 */
export function readDuration(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text === '0' ? '0s' : text) ?? []
  const seconds = Number(count) * (unitSeconds[unit] ?? Number.NaN)
  if (seconds >= 0 && seconds <= secondsMax) return seconds
  throw new InvalidArgumentError('Use a duration such as 30m, 12h or 7d, at most 366d.')
}
