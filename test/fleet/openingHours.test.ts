import { describe, expect, it } from 'vitest'
import { parseFleetFile } from '../../src/fleet/parseFleetFile.ts'
import { problemsOf, withTenant } from './files.ts'

const parse = (fields: object) => parseFleetFile(JSON.stringify(withTenant(fields)))
const monday = (opens: string, closes: string) => ({ days: ['monday'], opens, closes })

describe('opening hours of a fleet file', () => {
  it('are always open by default', () => {
    expect(parse({}).tenant).toMatchObject({ openingHours: null, specialDays: [] })
  })

  it('accepts intervals that touch, midnight, and two entries that close a date', () => {
    const openingHours = [monday('00:00', '12:00'), monday('12:00', '24:00')]
    const specialDays = [
      { from: '2027-12-25', to: '2027-12-26', name: 'Christmas' },
      { from: '2027-12-26', name: 'Boxing Day' },
      { from: '2027-12-31', opens: '08:00', closes: '12:00' },
      { from: '2027-12-31', opens: '13:00', closes: '15:00' },
    ]
    const closed = { opens: null, closes: null }
    expect(parse({ openingHours, specialDays }).tenant).toMatchObject({
      openingHours,
      specialDays: [
        { ...closed, from: '2027-12-25', to: '2027-12-26', name: 'Christmas' },
        { ...closed, from: '2027-12-26', to: '2027-12-26', name: 'Boxing Day' },
        { from: '2027-12-31', to: '2027-12-31', opens: '08:00', closes: '12:00', name: null },
        { from: '2027-12-31', to: '2027-12-31', opens: '13:00', closes: '15:00', name: null },
      ],
    })
  })

  it('is one form of the same hours, in whatever order they are written', () => {
    const days = ['monday', 'friday']
    const once = parse({ openingHours: [{ ...monday('07:00', '12:00'), days }] }).tenant
    const perDay = [{ ...monday('07:00', '12:00'), days: ['friday'] }, monday('07:00', '12:00')]
    expect(parse({ openingHours: perDay }).tenant).toEqual(once)
  })

  const list = 'tenant.openingHours'
  const later = 'must be later than opens'
  it.each<[string, object[], Record<string, string>]>([
    ['no entry', [], { [list]: 'must have an entry; null means always open' }],
    ['closing at the opening', [monday('07:00', '07:00')], { [`${list}[0].closes`]: later }],
    [
      'closing before opening, and an opening at the end of the day',
      [monday('22:00', '07:00'), monday('24:00', '24:00')],
      { [`${list}[0].closes`]: later, [`${list}[1].closes`]: later },
    ],
    [
      'an unknown day and no day',
      [
        { ...monday('07:00', '08:00'), days: ['mon'] },
        { ...monday('09:00', '10:00'), days: [] },
      ],
      {
        [`${list}[0].days[0]`]: 'must be a day from "monday" to "sunday"',
        [`${list}[1].days`]: 'must have a day',
      },
    ],
    [
      'no closing time and an invalid time',
      [{ days: ['monday'], opens: '7:00' }],
      {
        [`${list}[0].opens`]: 'must be a time such as 07:00; 24:00 is midnight',
        [`${list}[0].closes`]: 'is required',
      },
    ],
    [
      'overlapping intervals of a day',
      [monday('07:00', '12:00'), { ...monday('11:59', '13:00'), days: ['sunday', 'monday'] }],
      { [`${list}[1]`]: 'overlaps entry 1 on monday' },
    ],
  ])('rejects %s', (_, openingHours, problems) => {
    expect(problemsOf(() => parse({ openingHours }))).toEqual(problems)
  })

  const days = 'tenant.specialDays'
  it.each<[string, object[], Record<string, string>]>([
    [
      'no date',
      [{ name: 'Christmas' }],
      { [`${days}[0].from`]: 'must be a date, such as 2027-06-01' },
    ],
    [
      'an end before its beginning',
      [{ from: '2027-12-26', to: '2027-12-25' }],
      { [`${days}[0].to`]: 'must not be before from' },
    ],
    [
      'one of the two times missing, all at once',
      [
        { from: '2027-12-24', opens: '08:00' },
        { from: '2027-12-25', closes: '12:00' },
      ],
      {
        [`${days}[0].closes`]: 'is required with opens',
        [`${days}[1].opens`]: 'is required with closes',
      },
    ],
    [
      'a date that is open and closed',
      [
        { from: '2027-12-24', to: '2027-12-26' },
        { from: '2027-12-26', opens: '08:00', closes: '12:00' },
      ],
      { [`${days}[1]`]: 'overlaps entry 1' },
    ],
    [
      'overlapping intervals of a date',
      [
        { from: '2027-12-24', opens: '08:00', closes: '12:00' },
        { from: '2027-12-20', to: '2027-12-24', opens: '11:00', closes: '13:00' },
      ],
      { [`${days}[1]`]: 'overlaps entry 1' },
    ],
  ])('rejects special days with %s', (_, specialDays, problems) => {
    expect(problemsOf(() => parse({ specialDays }))).toEqual(problems)
  })
})
