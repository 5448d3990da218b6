import { describe, expect, it } from 'vitest'
import { closedProblem } from '../../src/domain/closedProblem.ts'
import type { StationHours } from '../../src/domain/openingHours.ts'

const workdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const
const hours: StationHours = {
  openingHours: [
    { days: workdays, opens: '13:00', closes: '22:00' },
    { days: workdays, opens: '07:00', closes: '12:00' },
    { days: ['saturday'], opens: '08:00', closes: '24:00' },
  ],
  specialDays: [
    {
      from: '2026-12-24',
      to: '2026-12-24',
      opens: '08:00',
      closes: '12:00',
      name: 'Christmas Eve',
    },
    { from: '2026-12-25', to: '2026-12-26', opens: null, closes: null, name: 'Christmas' },
    { from: '2026-12-31', to: '2027-01-03', opens: null, closes: null, name: null },
  ],
}

const problemAt = (at: string, timeZone = 'Europe/Oslo', of = hours) =>
  closedProblem(of, new Date(at), timeZone)

describe('closedProblem', () => {
  // Oslo is an hour ahead of UTC in winter.
  it.each([
    ['a weekday at its opening', '2026-12-21T06:00:00Z'],
    ['a weekday at the close before its break', '2026-12-21T11:00:00Z'],
    ['a weekday at its close', '2026-12-21T21:00:00Z'],
    ['midnight after a day that closes at 24:00', '2026-12-19T23:00:00Z'],
    ['a special day within its hours', '2026-12-24T11:00:00Z'],
  ])('accepts %s', (_, at) => expect(problemAt(at)).toBeUndefined())

  it.each([
    [
      'before the opening',
      '2026-12-21T05:59:59.999Z',
      'Monday 21 December 2026 is open 07:00–12:00 and 13:00–22:00; opens Monday 21 December at 07:00',
    ],
    [
      'in the break',
      '2026-12-21T11:00:00.001Z',
      'Monday 21 December 2026 is open 07:00–12:00 and 13:00–22:00; opens Monday 21 December at 13:00',
    ],
    [
      'after the close',
      '2026-12-21T21:00:01Z',
      'Monday 21 December 2026 is open 07:00–12:00 and 13:00–22:00; opens Tuesday 22 December at 07:00',
    ],
    [
      'after the midnight that is still open',
      '2026-12-19T23:00:01Z',
      'Sunday 20 December 2026 is closed; opens Monday 21 December at 07:00',
    ],
    [
      'after the hours of a special day',
      '2026-12-24T12:00:00Z',
      'Thursday 24 December 2026 is open 08:00–12:00 (Christmas Eve); opens Monday 28 December at 07:00',
    ],
    [
      'on a closed special day',
      '2026-12-26T09:00:00Z',
      'Saturday 26 December 2026 is closed (Christmas); opens Monday 28 December at 07:00',
    ],
    [
      'over the turn of the year',
      '2026-12-31T09:00:00Z',
      'Thursday 31 December 2026 is closed; opens Monday 4 January 2027 at 07:00',
    ],
  ])('names the hours of the day and the next opening %s', (_, at, message) =>
    expect(problemAt(at)).toBe(message),
  )

  it('opens all day but on special days without weekly hours', () => {
    const always = { ...hours, openingHours: null }
    expect(problemAt('2026-12-20T03:00:00Z', 'Europe/Oslo', always)).toBeUndefined()
    expect(problemAt('2026-12-25T09:00:00Z', 'Europe/Oslo', always)).toBe(
      'Friday 25 December 2026 is closed (Christmas); opens Sunday 27 December at 00:00',
    )
  })

  it('names no next opening when it stays closed for years', () => {
    const { openingHours } = hours
    const specialDays = [
      { from: '2026-12-25', to: '2099-12-31', opens: null, closes: null, name: 'Sold' },
    ]
    expect(problemAt('2026-12-25T09:00:00Z', 'Europe/Oslo', { openingHours, specialDays })).toBe(
      'Friday 25 December 2026 is closed (Sold)',
    )
  })

  // Oslo skips 02:00–03:00 on 28 March 2027 and repeats it on 31 October 2027, both Sundays.
  it.each([
    ['closed before a skipped opening', '2027-03-28T00:59:59Z', false],
    ['open from the end of the gap that has the opening', '2027-03-28T01:00:00Z', true],
    ['closed before a repeated opening', '2027-10-31T00:29:59Z', false],
    ['open at the first reading of a repeated opening', '2027-10-31T00:30:00Z', true],
    ['open at the second reading of a repeated opening', '2027-10-31T01:30:00Z', true],
  ])('is %s', (_, at, open) => {
    const night: StationHours = {
      openingHours: [{ days: ['sunday'], opens: '02:30', closes: '06:00' }],
      specialDays: [],
    }
    expect(problemAt(at, 'Europe/Oslo', night) === undefined).toBe(open)
  })
})
