import { describe, expect, it } from 'vitest'
import { parseDate } from '../../../src/domain/pricing/period.ts'
import { isRateListed, type Rate, rateOn, ratesBetween } from '../../../src/domain/pricing/rates.ts'
import { standard } from './standardRate.ts'

const rate = (id: string, validFrom: string | null, validTo: string | null): Rate => ({
  ...standard,
  id,
  dailyMinor: 5000n,
  hourlyMinor: null,
  weeklyMinor: null,
  validFrom,
  validTo,
})

const selected = (rates: readonly Rate[], date: string) => {
  const on = parseDate(date)
  return rateOn(ratesBetween(rates, on, parseDate('9998-12-31')), on).rate?.id
}

describe('rateOn', () => {
  it('returns the rate that is valid on the date, both ends included', () => {
    const june = [rate('june', '2027-06-01', '2027-06-30')]
    expect(selected(june, '2027-05-31')).toBeUndefined()
    expect(selected(june, '2027-06-01')).toBe('june')
    expect(selected(june, '2027-06-30')).toBe('june')
    expect(selected(june, '2027-07-01')).toBeUndefined()
  })

  it.each([
    [
      'the rate with the shorter validity',
      ['2027-06-01', '2027-06-30'],
      ['2027-06-10', '2027-07-10'],
    ],
    [
      'a rate with both dates to a rate with one',
      ['2000-01-01', '2100-12-31'],
      ['2027-06-01', null],
    ],
    ['a rate with one open end to a rate with two', [null, '2100-12-31'], [null, null]],
    [
      'the later of two rates with equally long validity',
      ['2027-06-10', '2027-06-19'],
      ['2027-06-06', '2027-06-15'],
    ],
    ['the later start of two rates without an end', ['2027-06-10', null], ['2027-06-01', null]],
    ['the earlier end of two rates without a start', [null, '2027-06-30'], [null, '2100-12-31']],
    ['a rate with a start to a rate without one', ['2027-06-01', null], [null, '2027-06-30']],
  ] as const)('prefers %s', (_, [from, to], [otherFrom, otherTo]) => {
    const preferred = rate('z-preferred', from, to)
    const other = rate('a-other', otherFrom, otherTo)
    expect(selected([preferred, other], '2027-06-14')).toBe('z-preferred')
    expect(selected([other, preferred], '2027-06-14')).toBe('z-preferred')
  })

  it('prefers the lower id when nothing else differs', () => {
    const [a, b] = [rate('a', '2027-06-01', null), rate('b', '2027-06-01', null)]
    expect(selected([b, a], '2027-06-14')).toBe('a')
    expect(selected([a, b], '2027-06-14')).toBe('a')
  })

  it('counts the leap day when it compares lengths of validity', () => {
    const leap = rate('leap', '2028-02-20', '2028-03-05')
    const sameLength = rate('later', '2028-02-21', '2028-03-06')
    expect(selected([leap, sameLength], '2028-02-29')).toBe('later')
  })
})

describe('isRateListed', () => {
  it.each([
    [null, true],
    ['2027-06-13', false],
    ['2027-06-14', true],
    ['2027-06-15', true],
  ])('reports whether a rate with validTo %s is listed on 14 June: %s', (validTo, listed) => {
    expect(isRateListed({ validTo }, '2027-06-14')).toBe(listed)
  })
})
