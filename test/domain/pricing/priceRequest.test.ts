import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../src/domain/errors.ts'
import type { Catalog } from '../../../src/domain/pricing/catalog.ts'
import { type PriceRequest, priceInputs } from '../../../src/domain/pricing/priceRequest.ts'

const now = new Date('2027-06-01T10:00:00.000Z')
const group = {
  id: 'economy',
  name: 'Economy',
  category: 'car',
  description: null,
  imageUrl: null,
  currency: 'NOK',
  rates: [],
}
const seat = {
  id: 'seat',
  name: 'Child seat',
  pricing: 'per_day',
  unitMinor: 5_000n,
  maxMinor: null,
} as const
const terms = {
  timeZone: 'Europe/Oslo',
  taxPercent: '25',
  pricesIncludeTax: false,
  gracePeriodMinutes: 29,
  seasons: 'per_day',
} as const

const catalog = (minLeadMinutes: number | null): Catalog => ({
  version: '1',
  terms,
  minLeadMinutes,
  groups: [group],
  groupsById: new Map([['economy', group]]),
  extrasById: new Map([
    ['seat', { ...seat, currency: 'NOK' }],
    ['foreign', { ...seat, id: 'foreign', currency: 'EUR' }],
  ]),
  rowCount: 3,
})

const later = (ms: number) => new Date(now.getTime() + ms)
const request = (values: Partial<PriceRequest> = {}): PriceRequest => ({
  assetGroupId: 'economy',
  pickupAt: later(0),
  dropoffAt: later(86_400_000),
  extras: [],
  ...values,
})

const chosen = (...extraIds: string[]) => extraIds.map((extraId) => ({ extraId, quantity: 1 }))

/** What it is refused with: the code, its words, and the fields it is about. */
function refusal(values: Partial<PriceRequest>, minLeadMinutes: number | null = 0) {
  try {
    priceInputs(catalog(minLeadMinutes), request(values), now)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { code: error.code, message: error.message, about: error.details }
  }
  return undefined
}

describe('what a price is made from', () => {
  it('is the request, the group’s rates and currency, the extras and the tenant’s terms', () => {
    const extras = [{ extraId: 'seat', quantity: 2 }]
    expect(priceInputs(catalog(0), request({ extras }), now)).toEqual({
      ...terms,
      pickupAt: later(0),
      dropoffAt: later(86_400_000),
      currency: 'NOK',
      rates: [],
      extras: [{ ...seat, quantity: 2 }],
    })
  })
})

describe('a pickup', () => {
  it.each<[string, number | null, number, string | undefined]>([
    ['may be at this very moment', 0, 0, undefined],
    ['a millisecond ago lies in the past', 0, -1, 'must not lie in the past'],
    ['may be exactly as far away as the tenant asks', 90, 90 * 60_000, undefined],
    [
      'a millisecond nearer is too near',
      90,
      90 * 60_000 - 1,
      'must be at least 90 minutes from now',
    ],
    ['may have to be one minute away', 1, 0, 'must be at least 1 minute from now'],
    ['may be years ago where the tenant does not check', null, -1e11, undefined],
  ])('%s (13)', (_, lead, fromNowMs, message) => {
    const pickupAt = later(fromNowMs)
    const found = refusal({ pickupAt, dropoffAt: new Date(pickupAt.getTime() + 60_000) }, lead)
    const about = [{ path: 'pickupDatetime', message }]
    if (message === undefined) expect(found).toBeUndefined()
    else expect(found).toMatchObject({ code: 'VALIDATION_ERROR', about })
  })
})

describe('a rental', () => {
  // 1 June to 1 June: both at summer time, and 2028 has a 29 February.
  it('may last 366 days and not a millisecond more (13)', () => {
    const days366 = 366 * 86_400_000
    expect(refusal({ dropoffAt: later(days366) })).toBeUndefined()
    expect(refusal({ dropoffAt: later(days366 + 1) })).toMatchObject({
      code: 'VALIDATION_ERROR',
      about: [
        { path: 'dropoffDatetime', message: 'must be at most 366 days after pickupDatetime' },
      ],
    })
  })

  it('that is too early and too long is told both at once', () => {
    const { about } = refusal({ pickupAt: later(-1), dropoffAt: later(4e10) }) ?? {}
    expect(about).toMatchObject([{ path: 'pickupDatetime' }, { path: 'dropoffDatetime' }])
  })

  it.each([
    [
      'of a group the tenant has not',
      { assetGroupId: 'x' },
      'The id in assetGroupId is not on offer.',
      [{ path: 'assetGroupId', message: 'must be the id of an asset group' }],
    ],
    [
      'with an extra the tenant has not',
      { extras: chosen('seat', 'x') },
      'The id in extras.1.extraId is not on offer.',
      [{ path: 'extras.1.extraId', message: 'must be the id of an extra' }],
    ],
    [
      'of a group and with extras the tenant has not, told all at once,',
      { assetGroupId: 'x', extras: chosen('y', 'seat', 'z') },
      'The ids in assetGroupId, extras.0.extraId, extras.2.extraId are not on offer.',
      [{ path: 'assetGroupId' }, { path: 'extras.0.extraId' }, { path: 'extras.2.extraId' }],
    ],
  ])('%s is NOT_FOUND, naming the field (8)', (_, values, message, about) => {
    expect(refusal(values)).toMatchObject({ code: 'NOT_FOUND', message, about })
  })

  it('with extras in another currency than the group’s is refused: they can’t be added up', () => {
    const message = 'is priced in EUR, this asset group in NOK'
    expect(refusal({ extras: chosen('foreign', 'seat', 'foreign') })).toMatchObject({
      code: 'VALIDATION_ERROR',
      about: [
        { path: 'extras.0.extraId', message },
        { path: 'extras.2.extraId', message },
      ],
    })
  })
})
