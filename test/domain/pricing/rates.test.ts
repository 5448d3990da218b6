import { describe, expect, it } from 'vitest'
import { readDate, writeDate } from '../../../src/domain/pricing/period.ts'
import { isRateListed, type Rate, rateOn, writePrices } from '../../../src/domain/pricing/rates.ts'

const rate = (id: string, validFrom: string | null, validTo: string | null): Rate => ({
  id,
  name: id,
  currency: 'EUR',
  dailyMinor: 5000n,
  hourlyMinor: null,
  weeklyMinor: null,
  monthlyMinor: null,
  validFrom,
  validTo,
})

const selected = (rates: readonly Rate[], date: string) => rateOn(rates, readDate(date)).rate?.id

describe('the rate of a date', () => {
  it('is the one valid on that date, both ends included', () => {
    const june = [rate('june', '2027-06-01', '2027-06-30')]
    expect(selected(june, '2027-05-31')).toBeUndefined()
    expect(selected(june, '2027-06-01')).toBe('june')
    expect(selected(june, '2027-06-30')).toBe('june')
    expect(selected(june, '2027-07-01')).toBeUndefined()
  })

  it('is none without rates', () => {
    expect(selected([], '2027-06-01')).toBeUndefined()
  })

  it.each([
    ['the shorter window', ['2027-06-01', '2027-06-30'], ['2027-06-10', '2027-07-10']],
    ['a closed window before an open one', ['2000-01-01', '2100-12-31'], ['2027-06-01', null]],
    ['one open end before two', [null, '2100-12-31'], [null, null]],
    ['of equal windows the later', ['2027-06-10', '2027-06-19'], ['2027-06-06', '2027-06-15']],
    ['of half-open windows the later', ['2027-06-10', null], ['2027-06-01', null]],
    [
      'of windows without a start the one that ends first',
      [null, '2027-06-30'],
      [null, '2100-12-31'],
    ],
    ['a start before none', ['2027-06-01', null], [null, '2027-06-30']],
  ] as const)('prefers %s', (_, [from, to], [otherFrom, otherTo]) => {
    const preferred = rate('z-preferred', from, to)
    const other = rate('a-other', otherFrom, otherTo)
    expect(selected([preferred, other], '2027-06-14')).toBe('z-preferred')
    expect(selected([other, preferred], '2027-06-14')).toBe('z-preferred')
  })

  it('prefers the lower id where nothing else differs', () => {
    const [a, b] = [rate('a', '2027-06-01', null), rate('b', '2027-06-01', null)]
    expect(selected([b, a], '2027-06-14')).toBe('a')
    expect(selected([a, b], '2027-06-14')).toBe('a')
  })

  it('counts a window by the calendar, across a leap day', () => {
    const leap = rate('leap', '2028-02-20', '2028-03-05')
    const sameLength = rate('later', '2028-02-21', '2028-03-06')
    expect(selected([leap, sameLength], '2028-02-29')).toBe('later')
  })

  it('is found among five hundred, in any order', () => {
    const days = Array.from({ length: 500 }, (_, index) => {
      const to = new Date(Date.UTC(2027, 5, 15 + index)).toISOString().slice(0, 10)
      return rate(`until-${String(index).padStart(3, '0')}`, '2027-06-14', to)
    })
    expect(selected(days, '2027-06-15')).toBe('until-000')
    expect(selected(days.toReversed(), '2027-06-15')).toBe('until-000')
    expect(selected(days, '2027-06-20')).toBe('until-005')
  })
})

describe('the last date for which a rate is sure', () => {
  const until = (rates: readonly Rate[], date: string) => {
    const last = rateOn(rates, readDate(date)).until
    return last > readDate('9999-01-01') ? 'ever' : writeDate(last)
  }

  it.each([
    ['is never with one open rate', [[null, null]], '2027-06-14', 'ever'],
    ['is its end', [['2027-06-01', '2027-06-30']], '2027-06-14', '2027-06-30'],
    [
      'is the day before another begins',
      [
        [null, null],
        ['2027-07-01', null],
      ],
      '2027-06-14',
      '2027-06-30',
    ],
    [
      'knows nothing of what has passed',
      [
        [null, null],
        [null, '2027-06-13'],
      ],
      '2027-06-14',
      'ever',
    ],
    ['is known without a rate too', [['2027-07-01', null]], '2027-06-14', '2027-06-30'],
    [
      'is the first change of many',
      [
        [null, '2027-06-20'],
        ['2027-06-18', null],
      ],
      '2027-06-14',
      '2027-06-17',
    ],
    [
      'is the end of a season over an open rate',
      [
        ['2027-06-01', '2027-06-20'],
        [null, null],
      ],
      '2027-06-14',
      '2027-06-20',
    ],
    [
      'is the first end of two',
      [
        ['2027-06-01', '2027-06-20'],
        [null, '2027-06-25'],
      ],
      '2027-06-14',
      '2027-06-20',
    ],
    [
      'is the day before the first of two begins',
      [
        [null, null],
        ['2027-07-10', null],
        ['2027-07-01', null],
      ],
      '2027-06-14',
      '2027-06-30',
    ],
  ] as const)('%s, in any order of the card', (_, windows, date, expected) => {
    const card = windows.map(([from, to], index) => rate(`${index}`, from, to))
    expect(until(card, date)).toBe(expected)
    expect(until(card.toReversed(), date)).toBe(expected)
  })
})

describe('the list of rates', () => {
  it.each([
    [null, true],
    ['2027-06-13', false],
    ['2027-06-14', true],
    ['2027-06-15', true],
  ])('with validTo %s on 14 June: %s', (validTo, listed) => {
    expect(isRateListed({ validTo }, '2027-06-14')).toBe(listed)
  })
})

describe('the prices of a rate', () => {
  it('are written each for its own unit: one that is not offered stays empty', () => {
    const none = { hourlyMinor: null, weeklyMinor: null, monthlyMinor: null }
    const nothing = { dailyRate: '50.00', hourlyRate: null, weeklyRate: null, monthlyRate: null }
    const daily = rate('daily', null, null)
    for (const [minor, name] of [
      ['hourlyMinor', 'hourlyRate'],
      ['weeklyMinor', 'weeklyRate'],
      ['monthlyMinor', 'monthlyRate'],
    ] as const) {
      const written = writePrices({ ...daily, ...none, [minor]: 1n }, 'EUR')
      expect(written).toEqual({ ...nothing, [name]: '0.01' })
    }
  })
})
