import { describe, expect, it } from 'vitest'
import { age, longTime, shortDay, shortLength, shortTime } from '../../src/cli/terminal/dates.ts'

const oslo = 'Europe/Oslo'
const now = new Date('2038-03-01T12:00:00Z')
const after = (hours: number) => new Date(now.getTime() + hours * 3_600_000)

describe('shortTime', () => {
  it.each([
    ['shows the time of day for a near date', 1, '01 Mar 14:00'],
    ['shows the time of day for up to 60 days back', -60 * 24 + 1, '31 Dec 14:00'],
    ['shows the year for more than 60 days back', -60 * 24, '31 Dec  2037'],
    ['shows the time of day for up to 300 days ahead', 300 * 24 - 1, '26 Dec 12:00'],
    ['shows the year for more than 300 days ahead', 300 * 24, '26 Dec  2038'],
  ])('%s', (_, hours, shown) => {
    expect(shortTime(after(hours), oslo, now)).toBe(shown)
  })
})

it('formats a long time with its weekday in the time zone', () => {
  expect(longTime(new Date('2038-06-30T22:05:00Z'), oslo)).toBe('Thu 1 Jul 2038 00:05')
  expect(shortDay('2038-07-01')).toBe('Thu 1 Jul')
})

it.each([
  [-5, '0m'],
  [59, '59m'],
  [60, '1h'],
  [47 * 60 + 59, '47h'],
  [48 * 60, '2d'],
])('formats an age of %d minutes as %s', (minutes, text) => {
  expect(age(after(-minutes / 60), now)).toBe(text)
})

it.each([
  [{ days: 0, restMinutes: 90 }, '2h'],
  [{ days: 2, restMinutes: 0 }, '2d'],
  [{ days: 2, restMinutes: 61 }, '2d 2h'],
])('formats the length %j as %s', (length, text) => {
  expect(shortLength(length)).toBe(text)
})
