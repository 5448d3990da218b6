import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { RentalApiError, type RentalErrorCode } from '../../clients/typescript/index.ts'
import { countdown } from '../../clients/widget/countdown.ts'
import { explain } from '../../clients/widget/explain.ts'
import { serverClock } from '../../clients/widget/serverClock.ts'

const expired = { status: 401, code: 'SESSION_EXPIRED', message: 'over' } as const

describe('explain after the session has ended', () => {
  it.each(['SESSION_EXPIRED', 'SESSION_INVALID'] as const)(
    'offers a new price when nothing was booked: %s',
    (code) => {
      expect(explain(new RentalApiError({ ...expired, code })).remedy).toBe('new-quote')
    },
  )

  it('offers no new booking when the outcome is unknown', () => {
    const problem = explain(new RentalApiError({ ...expired, outcomeUnknown: true }))
    expect(problem).toEqual({ text: 'errorMayHave' })
  })

  it('asks the visitor to correct the invalid fields even when the outcome is unknown', () => {
    const wrong = { status: 400, code: 'VALIDATION_ERROR', message: 'wrong' } as const
    const error = new RentalApiError({ ...wrong, outcomeUnknown: true })
    expect(explain(error, { marked: true })).toEqual({ text: 'errorFields' })
    expect(explain(error)).toEqual({ text: 'errorMayHave' })
  })
})

it('returns the message for a missing group, a missing booking, a pickup that is not accepted and a rejected key or account', () => {
  const missing = { status: 404, code: 'NOT_FOUND', message: 'gone' } as const
  expect(explain(new RentalApiError(missing))).toMatchObject({ text: 'errorGone' })
  expect(explain(new RentalApiError(missing), { isBooking: true })).toEqual({
    text: 'errorUnknown',
  })
  const soon = { status: 400, code: 'VALIDATION_ERROR', message: 'wrong' } as const
  const details = ['extras', 'pickupDatetime'].map((path) => ({ path, message: 'is wrong' }))
  expect(explain(new RentalApiError({ ...soon, details }))).toEqual({ text: 'errorPickup' })
  const message =
    'must be within the opening hours in Europe/Oslo: Sunday 20 December 2026 is closed'
  const night = [{ path: 'dropoffDatetime', message }]
  expect(explain(new RentalApiError({ ...soon, details: night }))).toEqual({ text: 'closedTime' })
  const closed = {
    status: 403,
    code: 'ORIGIN_NOT_ALLOWED',
    message: 'no',
    requestId: 'r-1',
  } as const
  const reference = ' (ORIGIN_NOT_ALLOWED, r-1)'
  expect(explain(new RentalApiError(closed))).toEqual({ text: 'errorClosed', reference })
})

it('names the shortest rental of a vehicle', () => {
  const details = [
    { path: 'dropoffDatetime', message: 'must be later: at least 3 days are charged' },
  ]
  const short = { status: 422, code: 'NO_RATE_AVAILABLE', message: 'no' } as const
  expect(explain(new RentalApiError({ ...short, details }))).toEqual({
    text: 'errorShort',
    days: 3,
  })
})

it.each([
  ['a minute', 60, 30, 'errorLimit'],
  ['an hour', 3600, 3000, 'errorLimit'],
  ['a day', 86_400, 20, 'errorDay'],
  ['a day', 86_400, 80_000, 'errorDay'],
  ['unknown length', undefined, 80_000, 'errorLimit'],
])(
  'names the limit by the exhausted window, not by the wait: %s, %j',
  (_, limitWindowSeconds, retryAfterSeconds, text) => {
    const limited = { status: 429, code: 'RATE_LIMITED', message: 'later' } as const
    const error = new RentalApiError({ ...limited, limitWindowSeconds, retryAfterSeconds })
    expect(explain(error).text).toBe(text)
  },
)

it.each<[string, RentalErrorCode[], [status: number, problem: object]]>([
  [
    'an outdated price',
    [
      'QUOTE_NOT_FOUND',
      'QUOTE_EXPIRED',
      'QUOTE_SESSION_MISMATCH',
      'SESSION_EXPIRED',
      'SESSION_INVALID',
    ],
    [409, { text: 'errorQuote', remedy: 'new-quote' }],
  ],
  ['a booked quote', ['QUOTE_ALREADY_USED'], [409, { text: 'errorUsed', remedy: 'new-quote' }]],
  [
    'a rejected key or account',
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
    'a rejected key or account',
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
  ['an invalid choice', ['NOT_FOUND'], [404, { text: 'errorGone', remedy: undefined }]],
  ['an invalid choice', ['NO_RATE_AVAILABLE'], [422, { text: 'errorRate', remedy: undefined }]],
  ['an invalid choice', ['VALIDATION_ERROR'], [400, { text: 'errorChoice' }]],
  ['a temporary error', ['NETWORK_ERROR'], [0, { text: 'errorNetwork', remedy: 'retry' }]],
  ['a temporary error', ['RATE_LIMITED'], [429, { text: 'errorLimit', remedy: 'retry' }]],
  [
    'a temporary error',
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
])('returns the message for %s after %j', (_, codes, [status, problem]) => {
  for (const code of codes)
    expect([code, explain(new RentalApiError({ status, code, message: '' }))]).toEqual([
      code,
      expect.objectContaining(problem),
    ])
})

it('measures the remaining time of a price by the Date of the newest response', async () => {
  const minutes = [0, 20]
  const fetching = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    const date = new Date(Date.UTC(2038, 0, 1, 0, minutes.shift()))
    return new Response('', { headers: { date: date.toUTCString() } })
  })
  onTestFinished(() => fetching.mockRestore())
  const clock = serverClock()
  for (const _ of [1, 2]) await clock.fetch('http://127.0.0.1', {})
  expect(clock.secondsUntil('2038-01-01T00:30:00Z')).toBe(600)
  // Without a readable Date header the documented lifetime applies.
  fetching.mockImplementation(async () => new Response(''))
  await clock.fetch('http://127.0.0.1', {})
  expect(clock.secondsUntil('2038-01-01T00:30:00Z')).toBe(1800)
})

it('warns once, two minutes before a price expires', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const reported: (number | string)[] = []
  const report = (left: number) => void reported.push(left)
  const stop = countdown(Date.now() + 122_000, report, () => reported.push('warned'))
  await Promise.resolve()
  vi.advanceTimersByTime(3_000)
  stop()
  vi.advanceTimersByTime(3_000)
  expect(reported).toEqual([122, 121, 'warned', 120, 119])
})
