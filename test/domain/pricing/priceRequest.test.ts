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
  hours: { openingHours: null, specialDays: [] },
  language: 'en',
  translations: new Map(),
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

/** Returns the code, message and details of the error, or undefined. */
function problemOf(values: Partial<PriceRequest>, minLeadMinutes: number | null = 0) {
  try {
    priceInputs(catalog(minLeadMinutes), request(values), now)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { code: error.code, message: error.message, about: error.details }
  }
  return undefined
}

describe('priceInputs', () => {
  it('combines the request, the group, the extras and the terms of the tenant', () => {
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

describe('the pickup of a price request', () => {
  it.each<[string, number | null, number, string | undefined]>([
    ['accepts a pickup at this moment', 0, 0, undefined],
    ['rejects a pickup one millisecond in the past', 0, -1, 'must not lie in the past'],
    ['accepts a pickup exactly at the lead time', 90, 90 * 60_000, undefined],
    [
      'rejects a pickup one millisecond before the lead time',
      90,
      90 * 60_000 - 1,
      'must be at least 90 minutes from now',
    ],
    [
      'rejects a pickup now when the lead time is one minute',
      1,
      0,
      'must be at least 1 minute from now',
    ],
    ['accepts a pickup years ago when the tenant has no lead time check', null, -1e11, undefined],
  ])('%s', (_, lead, fromNowMs, message) => {
    const pickupAt = later(fromNowMs)
    const found = problemOf({ pickupAt, dropoffAt: new Date(pickupAt.getTime() + 60_000) }, lead)
    const about = [{ path: 'pickupDatetime', message }]
    if (message === undefined) expect(found).toBeUndefined()
    else expect(found).toMatchObject({ code: 'VALIDATION_ERROR', about })
  })
})

describe('the rental of a price request', () => {
  // Both dates have the same UTC offset, and 2028 is a leap year.
  it('accepts a rental of 366 days and rejects one a millisecond longer', () => {
    const days366 = 366 * 86_400_000
    expect(problemOf({ dropoffAt: later(days366) })).toBeUndefined()
    expect(problemOf({ dropoffAt: later(days366 + 1) })).toMatchObject({
      code: 'VALIDATION_ERROR',
      about: [
        { path: 'dropoffDatetime', message: 'must be at most 366 days after pickupDatetime' },
      ],
    })
  })

  it('reports both problems when a rental is too early and too long', () => {
    const { about } = problemOf({ pickupAt: later(-1), dropoffAt: later(4e10) }) ?? {}
    expect(about).toMatchObject([{ path: 'pickupDatetime' }, { path: 'dropoffDatetime' }])
  })

  it.each([
    [
      'an unknown asset group',
      { assetGroupId: 'x' },
      'The id in assetGroupId is unknown or archived.',
      [{ path: 'assetGroupId', message: 'must be the id of an asset group' }],
    ],
    [
      'an unknown extra',
      { extras: chosen('seat', 'x') },
      'The id in extras.1.extraId is unknown or archived.',
      [{ path: 'extras.1.extraId', message: 'must be the id of an extra' }],
    ],
    [
      'an unknown asset group and unknown extras',
      { assetGroupId: 'x', extras: chosen('y', 'seat', 'z') },
      'The ids in assetGroupId, extras.0.extraId, extras.2.extraId are unknown or archived.',
      [{ path: 'assetGroupId' }, { path: 'extras.0.extraId' }, { path: 'extras.2.extraId' }],
    ],
  ])('rejects %s with NOT_FOUND and names each field', (_, values, message, about) => {
    expect(problemOf(values)).toMatchObject({ code: 'NOT_FOUND', message, about })
  })

  it('rejects extras in another currency than the asset group', () => {
    const message = 'is priced in EUR, this asset group in NOK'
    expect(problemOf({ extras: chosen('foreign', 'seat', 'foreign') })).toMatchObject({
      code: 'VALIDATION_ERROR',
      about: [
        { path: 'extras.0.extraId', message },
        { path: 'extras.2.extraId', message },
      ],
    })
  })
})
