import { describe, expect, it } from 'vitest'
import { dateTime } from '../../src/input/dateTime.ts'

const messageFor = (text: unknown) => dateTime.safeParse(text).error?.issues[0]?.message

describe('a date-time', () => {
  it.each([
    ['2027-06-01T10:00:00Z', '2027-06-01T10:00:00.000Z'],
    ['2027-06-01t10:00:00z', '2027-06-01T10:00:00.000Z'],
    ['2027-06-01T10:00:00+02:00', '2027-06-01T08:00:00.000Z'],
    ['2027-06-01T10:00:00+0200', '2027-06-01T08:00:00.000Z'],
    ['2027-06-01T10:00+02:00', '2027-06-01T08:00:00.000Z'],
    ['2027-06-01t10:00z', '2027-06-01T10:00:00.000Z'],
    ['2027-06-01T10:00:00.5-0930', '2027-06-01T19:30:00.500Z'],
    ['2027-06-01T00:00:00.123456789-23:59', '2027-06-01T23:59:00.123Z'],
    ['2028-02-29T00:00:00-00:00', '2028-02-29T00:00:00.000Z'],
    ['1999-12-31T23:30:00-01:00', '2000-01-01T00:30:00.000Z'],
    ['2101-01-01T00:30:00+01:00', '2100-12-31T23:30:00.000Z'],
  ])('parses %s as %s', (text, instant) => {
    expect(dateTime.parse(text).toISOString()).toBe(instant)
  })

  it.each([
    ['2027-02-30T10:00:00Z', '2027-02-30 does not exist'],
    ['2100-02-29T10:00:00Z', '2100-02-29 does not exist'],
    ['2027-13-01T10:00:00Z', '2027-13-01 does not exist'],
    ['2027-06-01T10:00:00 02:00', 'write + as %2B'],
    ['2027-06-01T10:00:00', 'must be a date-time with an offset'],
    ['2027-06-01T24:00:00Z', 'must have a time from 00:00:00 to 23:59:59'],
    ['2027-06-30T23:59:60Z', 'must have a time from 00:00:00 to 23:59:59'],
    ['2027-06-01T10:00:00+24:00', 'must have an offset such as'],
    ['2027-06-01T10:00:00+02:60', 'must have an offset such as'],
    ['1999-12-31T23:59:59Z', 'must lie in the years 2000 to 2100'],
    ['2100-12-31T23:30:00-01:00', 'must lie in the years 2000 to 2100'],
    ['2027-06-01', 'must be a date-time with an offset'],
    ['2027-06-01T10:00', 'must be a date-time with an offset'],
    ['2027-06-01T10:60Z', 'must have a time from 00:00:00 to 23:59:59'],
    ['2027-06-01 10:00:00Z', 'must be a date-time with an offset'],
    ['2027-06-01T10:00:00,5Z', 'must be a date-time with an offset'],
    ['', 'must be a date-time with an offset'],
  ])('rejects %j with the message %s', (text, words) => {
    expect(messageFor(text)).toContain(words)
  })
})
