import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { RentalApiError, type RentalErrorCode } from '../../clients/typescript/index.ts'
import { countdown } from '../../clients/widget/countdown.ts'
import { explain } from '../../clients/widget/explain.ts'
import { serverClock } from '../../clients/widget/serverClock.ts'
import { openSearch } from '../../clients/widget/vehicles.ts'
import { inDays } from '../helpers/dates.ts'
import { aGroup, aKey, aTenant } from '../helpers/seed.ts'
import { watching } from './fetches.ts'
import { aClient as anOfflineClient, json, refused } from './offlineClient.ts'
import { useClients } from './useClients.ts'

const expired = { status: 401, code: 'SESSION_EXPIRED', message: 'over' } as const

describe('a visitor whose session has ended', () => {
  it.each(['SESSION_EXPIRED', 'SESSION_INVALID'] as const)(
    'gets a new price when nothing was booked: %s',
    (code) => {
      expect(explain(new RentalApiError({ ...expired, code })).remedy).toBe('new-quote')
    },
  )

  it('is never offered to book again what may have been booked', () => {
    const problem = explain(new RentalApiError({ ...expired, outcomeUnknown: true }))
    expect(problem).toEqual({ text: 'errorMayHave' })
  })

  it('corrects what is marked and sends it again: the same offer is not booked twice', () => {
    const wrong = { status: 400, code: 'VALIDATION_ERROR', message: 'wrong' } as const
    const error = new RentalApiError({ ...wrong, outcomeUnknown: true })
    expect(explain(error, { marked: true })).toEqual({ text: 'errorFields' })
    expect(explain(error)).toEqual({ text: 'errorMayHave' })
  })

  it('presses the button again while that can still tell', () => {
    const lost = { status: 0, code: 'NETWORK_ERROR', message: 'lost' } as const
    expect(explain(new RentalApiError({ ...lost, outcomeUnknown: true })).remedy).toBe('retry')
  })
})

it('a visitor is told what is not there, and whom to ask with what', () => {
  const gone = { status: 404, code: 'NOT_FOUND', message: 'gone' } as const
  expect(explain(new RentalApiError(gone))).toMatchObject({ text: 'errorGone' })
  expect(explain(new RentalApiError(gone), { isBooking: true })).toEqual({ text: 'errorUnknown' })
  const soon = { status: 400, code: 'VALIDATION_ERROR', message: 'wrong' } as const
  const details = ['extras', 'pickupDatetime'].map((path) => ({ path, message: 'is wrong' }))
  expect(explain(new RentalApiError({ ...soon, details }))).toEqual({ text: 'errorPickup' })
  const closed = {
    status: 403,
    code: 'ORIGIN_NOT_ALLOWED',
    message: 'no',
    requestId: 'r-1',
  } as const
  const reference = ' (ORIGIN_NOT_ALLOWED, r-1)'
  expect(explain(new RentalApiError(closed))).toEqual({ text: 'errorClosed', reference })
})

// What is told of a code decides what a visitor does next.
it.each<[string, RentalErrorCode[], [status: number, problem: object]]>([
  [
    'to get a new price',
    [
      'QUOTE_NOT_FOUND',
      'QUOTE_EXPIRED',
      'QUOTE_SESSION_MISMATCH',
      'SESSION_EXPIRED',
      'SESSION_INVALID',
    ],
    [409, { text: 'errorQuote', remedy: 'new-quote' }],
  ],
  ['that it is booked', ['QUOTE_ALREADY_USED'], [409, { text: 'errorUsed', remedy: 'new-quote' }]],
  [
    'that booking is closed',
    [
      'API_KEY_REQUIRED',
      'API_KEY_INVALID',
      'API_KEY_REVOKED',
      'API_KEY_EXPIRED',
      'SESSION_REQUIRED',
    ],
    [401, { text: 'errorClosed' }],
  ],
  [
    'that booking is closed',
    [
      'ORIGIN_NOT_ALLOWED',
      'SCOPE_NOT_GRANTED',
      'TENANT_SUSPENDED',
      'SUBSCRIPTION_CANCELLED',
      'SUBSCRIPTION_PAST_DUE',
      'MODULE_NOT_ENABLED',
    ],
    [403, { text: 'errorClosed' }],
  ],
  ['to choose anew', ['NOT_FOUND'], [404, { text: 'errorGone', remedy: undefined }]],
  ['to choose anew', ['NO_RATE_AVAILABLE'], [422, { text: 'errorRate', remedy: undefined }]],
  ['to choose anew', ['VALIDATION_ERROR'], [400, { text: 'errorChoice' }]],
  ['to try again', ['NETWORK_ERROR'], [0, { text: 'errorNetwork', remedy: 'retry' }]],
  ['to try again', ['RATE_LIMITED'], [429, { text: 'errorLimit', remedy: 'retry' }]],
  [
    'to try again',
    [
      'REQUEST_IN_PROGRESS',
      'INTERNAL_ERROR',
      'SERVICE_UNAVAILABLE',
      'UNEXPECTED_ANSWER',
      'IDEMPOTENCY_KEY_REUSED',
      'METHOD_NOT_ALLOWED',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [500, { text: 'errorBusy', remedy: 'retry' }],
  ],
])('a visitor is told %s: %j', (_, codes, [status, problem]) => {
  for (const code of codes)
    expect([code, explain(new RentalApiError({ status, code, message: '' }))]).toEqual([
      code,
      expect.objectContaining(problem),
    ])
})

describe('a visitor who has used up a limit', () => {
  it.each([
    [60, { text: 'errorLimit', remedy: 'retry', waitSeconds: 60 }],
    [120, { text: 'errorLimit', remedy: 'retry', waitSeconds: 120 }],
    [121, { text: 'errorDay' }],
  ])('of which %d seconds are left', (retryAfterSeconds, problem) => {
    const limited = { status: 429, code: 'RATE_LIMITED', message: 'wait' } as const
    const error = new RentalApiError({ ...limited, retryAfterSeconds })
    expect(explain(error)).toEqual(problem)
  })

  it('is not told to come back tomorrow for what may have been booked', () => {
    const limited = { status: 429, code: 'RATE_LIMITED', message: 'wait' } as const
    const lost = { ...limited, retryAfterSeconds: 3_600, outcomeUnknown: true }
    expect(explain(new RentalApiError(lost))).toEqual({ text: 'errorMayHave' })
  })
})

describe('a search with a key that may not read rates', () => {
  const refusals = 5
  const { server, aClient } = useClients({ LIMIT_UNAUTHENTICATED_PER_MINUTE: String(refusals) })

  it('finds vehicles all the same, and asks for no rates once it was refused', async () => {
    const { database } = server.deps
    const tenantId = await aTenant(database)
    for (let at = 0; at < 13; at++) await aGroup(database, tenantId)
    const { key: apiKey } = await aKey(database, tenantId, { scopes: ['availability:read'] })
    const { fetch, seen } = watching()
    const patience = { attemptsMax: 1 }
    const { client: rental } = aClient({ apiKey, fetch, patience })
    const { signal } = new AbortController()
    const search = openSearch({ rental, signal, config: { timeZone: 'Europe/Oslo' } })
    const period = { pickupDatetime: inDays(5), dropoffDatetime: inDays(6) }
    // More than the address may be refused.
    const found = await search(period, undefined)
    expect(found.vehicles.map(({ rates }) => rates)).toEqual(Array(12).fill(undefined))
    expect(found.hasMore).toBe(true)
    expect((await found.more()).vehicles).toHaveLength(13)
    expect(seen.filter(({ url }) => url.endsWith('/rates'))).toHaveLength(12)
  })
})

describe('a search', () => {
  it('leaves out a class that was archived since it was listed, and shows each other once', async () => {
    const groups = Array.from({ length: 14 }, (_, at) => ({ id: `${at}`, name: `Class ${at}` }))
    const { client: rental } = anOfflineClient((path) => {
      if (path === '/asset-groups') return json(200, { data: groups })
      if (path.startsWith('/asset-groups/3/')) return refused(404, 'NOT_FOUND')
      return json(200, { data: path.endsWith('/rates') ? [] : { available: true } })
    })
    const { signal } = new AbortController()
    const search = openSearch({ rental, signal, config: { timeZone: 'UTC' } })
    const first = await search({ pickupDatetime: inDays(5), dropoffDatetime: inDays(6) }, undefined)
    expect([first.vehicles.length, first.hasMore]).toEqual([11, true])
    const all = await first.more()
    const others = groups.filter(({ id }) => id !== '3')
    expect([all.vehicles.map(({ group }) => group), all.hasMore]).toEqual([others, false])
  })

  it('fails when a class cannot be counted: what is left out looks as if it were not offered', async () => {
    const { client: rental } = anOfflineClient(
      (path) => {
        if (path === '/asset-groups') return json(200, { data: [{ id: '0' }, { id: '1' }] })
        if (path.startsWith('/asset-groups/1/a')) return refused(429, 'RATE_LIMITED')
        return json(200, { data: path.endsWith('/rates') ? [] : { available: true } })
      },
      { patience: { attemptsMax: 1 } },
    )
    const { signal } = new AbortController()
    const search = openSearch({ rental, signal, config: { timeZone: 'UTC' } })
    const found = search({ pickupDatetime: inDays(5), dropoffDatetime: inDays(6) }, undefined)
    await expect(found).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  })

  it('reads rates again when they were read five minutes ago', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { client: rental, seen } = anOfflineClient((path) => {
      if (path === '/asset-groups') return json(200, { data: [{ id: '1', name: 'Class' }] })
      return json(200, { data: path.endsWith('/rates') ? [] : { available: true } })
    })
    const { signal } = new AbortController()
    const search = openSearch({ rental, signal, config: { timeZone: 'UTC' } })
    const read = async (afterMs: number) => {
      vi.setSystemTime(Date.now() + afterMs)
      await search({ pickupDatetime: inDays(5), dropoffDatetime: inDays(6) }, undefined)
      return seen.filter(({ url }) => url.endsWith('/rates')).length
    }
    expect([await read(0), await read(299_999), await read(1)]).toEqual([1, 1, 2])
  })

  it('has no more than all, and what is sold out last', async () => {
    const groups = Array.from({ length: 12 }, (_, at) => ({ id: `${at}`, name: `Class ${at}` }))
    const { client: rental } = anOfflineClient((path) => {
      if (path === '/asset-groups') return json(200, { data: groups })
      const available = !path.startsWith('/asset-groups/3/')
      return json(200, { data: path.endsWith('/rates') ? [] : { available } })
    })
    const { signal } = new AbortController()
    const search = openSearch({ rental, signal, config: { timeZone: 'UTC' } })
    const found = await search({ pickupDatetime: inDays(5), dropoffDatetime: inDays(6) }, undefined)
    expect([found.vehicles.at(-1)?.group.id, found.hasMore]).toEqual(['3', false])
  })
})

it('a price lasts by the clock of the newest answer', async () => {
  const minutes = [0, 20]
  const answering = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    const date = new Date(Date.UTC(2038, 0, 1, 0, minutes.shift()))
    return new Response('', { headers: { date: date.toUTCString() } })
  })
  onTestFinished(() => answering.mockRestore())
  const clock = serverClock()
  for (const _ of [1, 2]) await clock.fetch('http://127.0.0.1', {})
  expect(clock.secondsUntil('2038-01-01T00:30:00Z')).toBe(600)
  // A page may not be let read it: then as long as the API promises.
  answering.mockImplementation(async () => new Response(''))
  await clock.fetch('http://127.0.0.1', {})
  expect(clock.secondsUntil('2038-01-01T00:30:00Z')).toBe(1800)
})

it('who looks at a price is warned once, two minutes before its end', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const told: (number | string)[] = []
  const tell = (left: number) => void told.push(left)
  const stop = countdown(Date.now() + 122_000, tell, () => told.push('warned'))
  await Promise.resolve()
  vi.advanceTimersByTime(3_000)
  stop()
  vi.advanceTimersByTime(3_000)
  expect(told).toEqual([122, 121, 'warned', 120, 119])
})
