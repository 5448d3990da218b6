import { expect, it } from 'vitest'
import { groupWarnings, isOrderOfMagnitude } from '../../src/domain/rateCard.ts'

const rate = {
  name: 'Standard',
  dailyMinor: 2_900n,
  weeklyMinor: null,
  monthlyMinor: null,
  validFrom: null,
  validTo: null,
}
const from = (validFrom: string | null, validTo: string | null) => ({ ...rate, validFrom, validTo })

it.each<[string, object, string[]]>([
  ['nothing', {}, []],
  ['a group without a vehicle', { vehicles: 0 }, ['van has no vehicle.']],
  ['a group without a rate', { rates: [] }, ['van has no rate.']],
  [
    'October without a rate',
    { rates: [from(null, '2027-09-30'), from('2027-11-01', null)] },
    ['van has no rate from 2027-10-01 to 2027-10-31.'],
  ],
  [
    'one day without a rate',
    { rates: [from('2027-10-02', null), from(null, '2027-09-30')] },
    ['van has no rate on 2027-10-01.'],
  ],
  [
    'rates that end within 366 days',
    { rates: [from(null, '2028-05-30')] },
    ['van has no rate from 2028-05-31 to 2028-06-01.'],
  ],
  ['rates that end after 366 days', { rates: [from(null, '2028-06-01')] }, []],
  [
    'a rate that begins later and one in the past',
    { rates: [from('2020-01-01', '2020-12-31'), from('2027-07-01', null)] },
    ['van has no rate from 2027-06-02 to 2027-06-30.'],
  ],
  [
    'a week cheaper than a day',
    { rates: [{ ...rate, weeklyMinor: 1_740n }] },
    ['van / Standard: a week costs 17.40, less than a day (29.00).'],
  ],
  [
    'a week dearer than seven days',
    { rates: [{ ...rate, weeklyMinor: 20_301n }] },
    ['van / Standard: a week costs 203.01, more than 7 days of 29.00.'],
  ],
  ['a week of seven days', { rates: [{ ...rate, weeklyMinor: 20_300n }] }, []],
  [
    'a month cheaper than a day',
    { rates: [{ ...rate, monthlyMinor: 2_899n }] },
    ['van / Standard: a month costs 28.99, less than a day (29.00).'],
  ],
  [
    'a month dearer than 30 days',
    { rates: [{ ...rate, monthlyMinor: 87_001n }] },
    ['van / Standard: a month costs 870.01, more than 30 days of 29.00.'],
  ],
])('groupWarnings describes %s', (_, change, warnings) => {
  const group = { ref: 'van', currency: 'EUR', vehicles: 1, rates: [rate], ...change }
  expect(groupWarnings(group, '2027-06-02')).toEqual(warnings)
})

it.each([
  [100n, 1_000n, true],
  [1_000n, 100n, true],
  [100n, 999n, false],
  [1_000n, 101n, false],
  [0n, 500n, false],
])('isOrderOfMagnitude compares %s and %s as %s', (before, after, expected) => {
  expect(isOrderOfMagnitude(before, after)).toBe(expected)
})
