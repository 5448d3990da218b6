import { expect, it } from 'vitest'
import { monthsBefore } from '../../src/domain/timeZone.ts'

it.each([
  ['keeps the local time across a clock change', '2038-07-15T10:00Z', 6, '2038-01-15T11:00Z'],
  ['crosses a year', '2038-01-15T11:00Z', 13, '2036-12-15T11:00Z'],
  ['returns the last day of a shorter month', '2038-03-31T10:00Z', 1, '2038-02-28T11:00Z'],
  ['returns 29 February in a leap year', '2036-03-30T10:00Z', 1, '2036-02-29T11:00Z'],
  ['uses the local date, not the date in UTC', '2038-02-28T23:30Z', 1, '2038-01-31T23:30Z'],
])('monthsBefore %s', (_, at, months, expected) => {
  expect(monthsBefore(new Date(at), months, 'Europe/Oslo')).toEqual(new Date(expected))
})
