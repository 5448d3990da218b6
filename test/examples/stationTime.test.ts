import { describe, expect, it } from 'vitest'
import { daysLater, instantOf } from '../../examples/booking-site/stationTime.ts'

describe('the time at the station', () => {
  it.each([
    ['2027-01-15', '10:00', 'Europe/Oslo', '2027-01-15T09:00:00.000Z'],
    ['2027-07-15', '10:00', 'Europe/Oslo', '2027-07-15T08:00:00.000Z'],
    // The nights the clocks are changed: what the wall shows in the morning counts.
    ['2027-03-28', '07:00', 'Europe/Oslo', '2027-03-28T05:00:00.000Z'],
    ['2027-10-31', '07:00', 'Europe/Oslo', '2027-10-31T06:00:00.000Z'],
    ['2027-03-28', '01:30', 'Europe/Oslo', '2027-03-28T00:30:00.000Z'],
    ['2027-06-01', '21:30', 'America/Los_Angeles', '2027-06-02T04:30:00.000Z'],
    ['2027-06-01', '08:00', 'Asia/Kathmandu', '2027-06-01T02:15:00.000Z'],
    ['2027-06-01', '08:00', 'Pacific/Kiritimati', '2027-05-31T18:00:00.000Z'],
  ])('%s %s in %s is %s', (date, time, timeZone, instant) => {
    expect(instantOf({ date, time }, timeZone)).toBe(instant)
  })

  it('counts days by the calendar', () => {
    expect(daysLater('2028-02-27', 3)).toBe('2028-03-01')
  })
})
