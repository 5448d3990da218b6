import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type ClientOptions,
  createClient,
  newBookingAttempt,
  RentalApiError,
} from '../../clients/typescript/index.ts'
import { sleep } from '../../clients/typescript/retry.ts'
import { customer } from '../helpers/actors.ts'
import { type Seen, watching } from './fetches.ts'

const json = (status: number, body: object, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers })
const refused = (status: number, code: string, headers: Record<string, string> = {}) =>
  json(status, { error: { code, message: 'In words.' } }, headers)

const aQuote = { assetGroupId: 'g', pickupDatetime: 'x', dropoffDatetime: 'y' }
const hour = 3_600_000
const minute = 60_000

/** The token of a session of so many seconds, as far as a client can read it. */
function tokenOf(seconds: number): string {
  const claims = JSON.stringify({ iat: 1_000, exp: 1_000 + seconds, name: 'ÿ??>' })
  return `e30.${Buffer.from(claims, 'latin1').toString('base64url')}.c2ln`
}

/** A client whose network is `answer`, which never really waits and has its own clock. */
function aClient(
  answer: (path: string, nth: number) => Response | Promise<Response>,
  options: Partial<ClientOptions> = {},
) {
  const waits: number[] = []
  const clock = { ms: 1_800_000_000_000 }
  const { fetch, seen } = watching(async (url) => answer(pathOf(url), seen.length))
  const client = createClient({
    baseUrl: 'https://rental.example//',
    apiKey: 'pk_live_x',
    session: false,
    fetch,
    nowMs: () => clock.ms,
    sleep: async (seconds) => {
      waits.push(seconds)
    },
    ...options,
  })
  return { client, seen, waits, clock }
}

const pathOf = (url: string) => url.replace('https://rental.example/api/v1', '')
const paths = (seen: readonly Seen[]) => seen.map(({ url }) => pathOf(url))
const caught = async (call: Promise<unknown>) => {
  const error = await call.then(() => undefined).catch((reason: unknown) => reason)
  if (!(error instanceof RentalApiError)) throw new Error(`No RentalApiError: ${error}`)
  return error
}

describe('a refusal', () => {
  // Whatever is repeated without need is load on a server that has just said that it can't.
  it.each<[number, string, boolean]>([
    [400, 'VALIDATION_ERROR', false],
    [401, 'API_KEY_INVALID', false],
    [403, 'TENANT_SUSPENDED', false],
    [404, 'NOT_FOUND', false],
    [409, 'REQUEST_IN_PROGRESS', true],
    [409, 'QUOTE_EXPIRED', false],
    [422, 'NO_RATE_AVAILABLE', false],
    [429, 'RATE_LIMITED', true],
    [500, 'INTERNAL_ERROR', false],
    [502, 'UNEXPECTED_ANSWER', true],
    [503, 'SERVICE_UNAVAILABLE', true],
    [504, 'UNEXPECTED_ANSWER', true],
  ])('with %i %s is repeated: %s', async (status, code, repeated) => {
    const { client, seen, waits } = aClient(() =>
      code === 'UNEXPECTED_ANSWER' ? new Response('<h1>', { status }) : refused(status, code),
    )
    const error = await caught(client.listAssetGroups())
    expect(error).toMatchObject({ status, code, retryable: repeated, outcomeUnknown: false })
    expect([seen.length, waits.length]).toEqual(repeated ? [5, 4] : [1, 0])
  })

  it('with 500 to a booking is not repeated either, and nobody claims that nothing was booked', async () => {
    const { client, seen } = aClient(() => refused(500, 'INTERNAL_ERROR'))
    const booking = client.createBooking({ quoteId: 'q', customer }, newBookingAttempt())
    expect(await caught(booking)).toMatchObject({ retryable: false, outcomeUnknown: true })
    expect(paths(seen)).toEqual(['/bookings'])
  })

  it('says what the API said: code, words, fields, how long to wait, its name for the request', async () => {
    const details = [{ path: 'customer.email', message: 'is required' }]
    const { client } = aClient(() =>
      json(
        400,
        { error: { code: 'VALIDATION_ERROR', message: 'In words.', details } },
        { 'Retry-After': '7', 'X-Request-Id': 'r-1' },
      ),
    )
    const error = await caught(client.listAssetGroups())
    expect({ ...error, message: error.message }).toEqual({
      name: 'RentalApiError',
      status: 400,
      code: 'VALIDATION_ERROR',
      message: 'In words.',
      details,
      retryAfterSeconds: 7,
      requestId: 'r-1',
      outcomeUnknown: false,
    })
  })

  it.each(['Wed, 21 Oct 2026 07:28:00 GMT', '1.5', '-1', ''])(
    'with a Retry-After of %j is repeated after a wait of one’s own',
    async (retryAfter) => {
      const { client, waits } = aClient(
        () => refused(503, 'SERVICE_UNAVAILABLE', { 'Retry-After': retryAfter }),
        { patience: { attemptsMax: 2 } },
      )
      expect((await caught(client.listAssetGroups())).retryAfterSeconds).toBeUndefined()
      expect(waits).toHaveLength(1)
      expect(waits[0]).toBeGreaterThanOrEqual(0.25)
      expect(waits[0]).toBeLessThanOrEqual(0.5)
    },
  )

  it('is not waited for beyond the patience: exactly a minute is, a second more is not', async () => {
    const asking = (seconds: string) =>
      aClient(() => refused(429, 'RATE_LIMITED', { 'Retry-After': seconds }))
    const [patient, hasty, twice] = [asking('60'), asking('61'), asking('30')]
    await caught(patient.client.listAssetGroups())
    await caught(hasty.client.listAssetGroups())
    await caught(twice.client.listAssetGroups())
    expect([patient.waits, hasty.waits, twice.waits]).toEqual([[60], [], [30, 30]])
  })
})

describe('an answer that is none of the API’s', () => {
  it.each<[string, () => Response]>([
    ['a page where JSON should be', () => new Response('<h1>Welcome to the Wi-Fi</h1>')],
    ['JSON without data', () => json(200, {})],
    ['a refusal in another envelope', () => json(418, { message: 'I am a teapot' })],
  ])('%s is told as such', async (_, answer) => {
    const { client, seen } = aClient(answer)
    const { status } = answer()
    expect(await caught(client.listAssetGroups())).toMatchObject({
      status,
      code: 'UNEXPECTED_ANSWER',
      message: `The answer (${status}) is not one of the booking service.`,
    })
    expect(seen).toHaveLength(1)
  })

  it('no answer at all is a network error, which is repeated after longer and longer waits', async () => {
    const reset = new TypeError('reset')
    const { client, seen, waits } = aClient(() => Promise.reject(reset))
    expect(await caught(client.listAssetGroups())).toMatchObject({
      status: 0,
      code: 'NETWORK_ERROR',
      message: 'The booking service could not be reached.',
      retryable: true,
      cause: reset,
    })
    expect(seen).toHaveLength(5)
    for (const [index, longest] of [0.5, 1, 2, 4].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(longest / 2)
      expect(waits[index]).toBeLessThanOrEqual(longest)
    }
  })
})

describe('what is read again', () => {
  it('is asked for by its own ETag: one group’s rates are never another’s', async () => {
    const { client, seen } = aClient((path, nth) =>
      nth <= 2
        ? json(200, { data: [path] }, { ETag: `"${path}"` })
        : new Response(null, { status: 304 }),
    )
    for (const id of ['a', 'b', 'a', 'b']) {
      expect(await client.listRates(id)).toEqual([`/asset-groups/${id}/rates`])
    }
    const asked = seen.map(({ headers }) => headers.get('If-None-Match'))
    expect(asked).toEqual([null, null, '"/asset-groups/a/rates"', '"/asset-groups/b/rates"'])
  })

  it('without an ETag is asked for in full', async () => {
    const { client, seen } = aClient(() => json(200, { data: [] }))
    await client.listAssetGroups()
    await client.listAssetGroups()
    expect(seen.map(({ headers }) => headers.get('If-None-Match'))).toEqual([null, null])
  })

  it('never is an availability: a count is of its moment', async () => {
    const { client, seen } = aClient(() => json(200, { data: {} }, { ETag: '"x"' }))
    for (const _ of [1, 2]) await client.getAvailability('a', { from: '1+1', to: '2' })
    expect(paths(seen)[1]).toBe('/asset-groups/a/availability?from=1%2B1&to=2')
    expect(seen[1]?.headers.get('If-None-Match')).toBeNull()
  })

  it('is remembered for two hundred paths; the one read longest ago goes first', async () => {
    const { client, seen } = aClient((path) => json(200, { data: [] }, { ETag: `"${path}"` }))
    for (let n = 0; n < 200; n += 1) await client.getBooking(`${n}`)
    await client.getBooking('0')
    await client.getBooking('200')
    for (const id of ['0', '1']) await client.getBooking(id)
    const asked = seen.slice(-4).map(({ headers }) => headers.get('If-None-Match'))
    expect(asked).toEqual(['"/bookings/0"', null, '"/bookings/0"', null])
  })
})

/** A page, and an API that makes a session of `seconds` with each POST /sessions. */
function aPage(token: () => string, before: (path: string, nth: number) => Response | undefined) {
  return aClient(
    (path, nth) =>
      before(path, nth) ??
      (path === '/sessions'
        ? json(201, { data: { sessionToken: token(), expiresAt: '2001-01-01T00:00:00.000Z' } })
        : json(201, { data: { quoteId: `q${nth}` } })),
    { session: true, patience: { attemptsMax: 1 } },
  )
}
const sessionsIn = (seen: readonly Seen[]) =>
  paths(seen).filter((path) => path === '/sessions').length

describe('a session', () => {
  // Of an hour 35 minutes must be left for a quote and its booking: nothing older than 25 is used.
  it.each([
    ['says that it lasts an hour', () => tokenOf(3600), 25 * minute],
    ['says that it lasts two', () => tokenOf(7200), 50 * minute],
    ['can’t be read: an hour is what the specification says', () => 'opaque', 25 * minute],
    ['says nothing about its time', () => 'e30.e30.c2ln', 25 * minute],
    ['ends before it begins', () => tokenOf(-1), 25 * minute],
    ['ends when it begins', () => tokenOf(0), 25 * minute],
  ])('that %s is renewed in time, not kept for hours', async (_, token, keptMs) => {
    const { client, seen, clock } = aPage(token, () => undefined)
    await client.createQuote(aQuote)
    clock.ms += keptMs
    await client.createQuote(aQuote)
    expect(sessionsIn(seen)).toBe(1)
    clock.ms += 1
    await client.createQuote(aQuote)
    expect(sessionsIn(seen)).toBe(2)
    clock.ms += 9 * hour
    await client.createQuote(aQuote)
    expect(sessionsIn(seen)).toBe(3)
  })

  it('that could not be made is not kept: the next call makes one', async () => {
    const { client, seen } = aPage(
      () => tokenOf(3600),
      (_, nth) => (nth === 1 ? refused(503, 'SERVICE_UNAVAILABLE') : undefined),
    )
    expect(await caught(client.createQuote(aQuote))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(await client.createQuote(aQuote)).toEqual({ quoteId: 'q3' })
    expect(sessionsIn(seen)).toBe(2)
  })

  it.each(['SESSION_REQUIRED', 'SESSION_EXPIRED', 'SESSION_INVALID'])(
    'that is refused with %s is replaced, and the call repeated in the new one',
    async (code) => {
      let made = 0
      const { client, seen } = aPage(
        () => `token-${++made}`,
        (path, nth) => (path === '/quotes' && nth === 2 ? refused(401, code) : undefined),
      )
      expect(await client.createQuote(aQuote)).toEqual({ quoteId: 'q4' })
      await client.createQuote(aQuote)
      const tokens = seen.map(({ headers }) => headers.get('X-Session-Token'))
      expect(paths(seen)).toEqual(['/sessions', '/quotes', '/sessions', '/quotes', '/quotes'])
      expect(tokens).toEqual([null, 'token-1', null, 'token-2', 'token-2'])
    },
  )

  it('that is refused to two calls at once is replaced once', async () => {
    let made = 0
    const refusedOnce = new Set<number>()
    const { client, seen } = aPage(
      () => `token-${++made}`,
      (path, nth) => {
        if (path !== '/quotes' || refusedOnce.size === 2) return undefined
        refusedOnce.add(nth)
        return refused(401, 'SESSION_INVALID')
      },
    )
    await Promise.all([client.createQuote(aQuote), client.createQuote(aQuote)])
    expect(sessionsIn(seen)).toBe(2)
  })

  it('that could not be made for two calls at once is asked for again by each, no more', async () => {
    const { client, seen } = aPage(
      () => tokenOf(3600),
      (path) => (path === '/sessions' ? refused(503, 'SERVICE_UNAVAILABLE') : undefined),
    )
    const both = [caught(client.createQuote(aQuote)), caught(client.createQuote(aQuote))]
    expect((await Promise.all(both)).map(({ code }) => code)).toEqual([
      'SERVICE_UNAVAILABLE',
      'SERVICE_UNAVAILABLE',
    ])
    expect(paths(seen)).toEqual(['/sessions'])
  })

  it('is not replaced for any other refusal', async () => {
    const { client, seen } = aPage(
      () => tokenOf(3600),
      (path) => (path === '/quotes' ? refused(403, 'ORIGIN_NOT_ALLOWED') : undefined),
    )
    expect(await caught(client.createQuote(aQuote))).toMatchObject({ code: 'ORIGIN_NOT_ALLOWED' })
    expect(paths(seen)).toEqual(['/sessions', '/quotes'])
  })

  it('is not made on a server, which needs none', async () => {
    const { client, seen } = aClient(() => json(201, { data: { quoteId: 'q' } }))
    await client.createQuote(aQuote)
    expect(paths(seen)).toEqual(['/quotes'])
    expect(seen[0]?.headers.get('X-Session-Token')).toBeNull()
  })
})

describe('a booking', () => {
  it('goes out in the session of its quote, though there is a newer one', async () => {
    let made = 0
    const { client, seen, clock } = aPage(
      () => `token-${++made}`,
      () => undefined,
    )
    const { quoteId } = await client.createQuote(aQuote)
    clock.ms += 26 * minute
    await client.createQuote(aQuote)
    await client.createBooking({ quoteId, customer }, { idempotencyKey: 'k' })
    const { headers } = seen.at(-1) ?? {}
    expect([headers?.get('X-Session-Token'), headers?.get('Idempotency-Key')]).toEqual([
      'token-1',
      'k',
    ])
  })

  it('of a quote from elsewhere goes out in the session there is', async () => {
    const { client, seen } = aPage(
      () => 'token',
      () => undefined,
    )
    for (const _ of ['once', 'and again']) {
      await client.createBooking({ quoteId: 'elsewhere', customer }, newBookingAttempt())
    }
    expect(paths(seen)).toEqual(['/sessions', '/bookings', '/bookings'])
    expect(seen.at(-1)?.headers.get('X-Session-Token')).toBe('token')
  })
})

describe('a booking whose first request got no answer', () => {
  // "Nothing was booked" must be true: else a visitor books a second car.
  it.each<[number, string, boolean]>([
    [404, 'QUOTE_NOT_FOUND', false],
    [409, 'QUOTE_EXPIRED', false],
    [409, 'QUOTE_ALREADY_USED', false],
    [401, 'SESSION_EXPIRED', true],
    [403, 'TENANT_SUSPENDED', true],
    [422, 'IDEMPOTENCY_KEY_REUSED', true],
    [500, 'INTERNAL_ERROR', true],
  ])(
    'and whose second got %i %s: nobody knows whether it booked: %s',
    async (status, code, unknown) => {
      for (const first of [
        () => Promise.reject(new TypeError('reset')),
        () => refused(409, 'REQUEST_IN_PROGRESS'),
      ]) {
        const { client, seen } = aClient((_, nth) => (nth === 1 ? first() : refused(status, code)))
        const error = await caught(
          client.createBooking({ quoteId: 'q', customer }, newBookingAttempt()),
        )
        expect(error).toMatchObject({ status, code, outcomeUnknown: unknown })
        expect(seen.map(({ init }) => init.method)).toEqual(['POST', 'POST'])
      }
    },
  )

  it.each<[number, string]>([
    [400, 'VALIDATION_ERROR'],
    [429, 'RATE_LIMITED'],
    [403, 'QUOTE_SESSION_MISMATCH'],
  ])('is not one that was refused with %i %s', async (status, code) => {
    const { client } = aClient(() => refused(status, code), { patience: { attemptsMax: 1 } })
    const booking = client.createBooking({ quoteId: 'q', customer }, newBookingAttempt())
    expect(await caught(booking)).toMatchObject({ code, outcomeUnknown: false })
  })

  it('is as good as new once it was answered', async () => {
    const attempt = newBookingAttempt()
    const { client } = aClient((_, nth) => {
      if (nth === 1) return Promise.reject(new TypeError('reset'))
      return nth === 2 ? json(202, { data: {} }) : refused(403, 'TENANT_SUSPENDED')
    })
    const book = () => client.createBooking({ quoteId: 'q', customer }, attempt)
    await book()
    expect(await caught(book())).toMatchObject({ outcomeUnknown: false })
  })
})

describe('a session that is about to end', () => {
  // Five requests of 20 seconds and a minute between them; of a short session half its life.
  it.each([
    [3600, 3600 - 160],
    [100, 50],
  ])('of %i seconds begins no booking after %i', async (seconds, lastSeconds) => {
    for (const [lateMs, sent] of [
      [0, ['/sessions', '/quotes', '/bookings']],
      [1, ['/sessions', '/quotes']],
    ] as const) {
      const { client, seen, clock } = aClient(
        (path) =>
          json(201, {
            data: path === '/sessions' ? { sessionToken: tokenOf(seconds) } : { quoteId: 'q' },
          }),
        { session: true },
      )
      await client.createQuote(aQuote)
      clock.ms += lastSeconds * 1000 + lateMs
      const booking = client.createBooking({ quoteId: 'q', customer }, newBookingAttempt())
      if (lateMs === 0) await booking
      else
        expect(await caught(booking)).toMatchObject({
          status: 0,
          code: 'SESSION_EXPIRED',
          message: expect.stringContaining('get a new quote'),
          outcomeUnknown: false,
        })
      expect(paths(seen)).toEqual(sent)
    }
  })
})

describe('waiting for a decision', () => {
  it('polls every five seconds, sits trouble out as long as it asks, and says so', async () => {
    const answers = [
      () => json(200, { data: { status: 'pending' } }),
      () => refused(503, 'SERVICE_UNAVAILABLE', { 'Retry-After': '9' }),
      () => refused(429, 'RATE_LIMITED', { 'Retry-After': '1' }),
      () => json(200, { data: { status: 'pending' } }),
      () => json(200, { data: { status: 'cancelled' } }),
    ]
    const { client, waits } = aClient(
      // Whoever asks on after the decision is told that it is enough.
      (_, nth) => answers[nth - 1]?.() ?? refused(404, 'NOT_FOUND'),
      { patience: { attemptsMax: 1 } },
    )
    const trouble: (string | undefined)[] = []
    const onTrouble = (error: RentalApiError | undefined) => trouble.push(error?.code)
    const decided = await client.waitForDecision('b', { onTrouble })
    expect(decided.status).toBe('cancelled')
    expect(waits).toEqual([5, 9, 5, 5])
    expect(trouble).toEqual(['SERVICE_UNAVAILABLE', 'RATE_LIMITED', undefined])
  })

  it.each(['confirmed', 'rejected', 'cancelled'])('ends when it is %s', async (status) => {
    const { client, waits } = aClient((_, nth) =>
      nth < 3
        ? json(200, { data: { status: nth === 1 ? 'pending' : status } })
        : refused(404, 'NOT_FOUND'),
    )
    expect((await client.waitForDecision('b')).status).toBe(status)
    expect(waits).toEqual([5])
  })

  it('ends with what will not pass', async () => {
    const { client, seen } = aClient(() => refused(404, 'NOT_FOUND'))
    expect(await caught(client.waitForDecision('b'))).toMatchObject({ code: 'NOT_FOUND' })
    expect(seen).toHaveLength(1)
  })
})

describe('waiting between two requests', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('takes as many seconds as it says', async () => {
    let over = false
    const waiting = sleep(2, undefined).then(() => {
      over = true
    })
    await vi.advanceTimersByTimeAsync(1_999)
    expect(over).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await waiting
  })

  it('ends when its caller leaves, and leaves no timer behind', async () => {
    const leaving = new AbortController()
    const waiting = sleep(2, leaving.signal)
    leaving.abort(new Error('left the page'))
    await expect(waiting).rejects.toThrow('left the page')
    await expect(sleep(2, leaving.signal)).rejects.toThrow('left the page')
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('an attempt', () => {
  it('has a key of 32 characters that no other has', () => {
    const keys = Array.from({ length: 100 }, () => newBookingAttempt().idempotencyKey)
    for (const key of keys) expect(key).toMatch(/^[\da-f]{32}$/)
    expect(new Set(keys).size).toBe(100)
  })
})

describe('a request', () => {
  it('carries the key, and the type of its body if it has one', async () => {
    const { client, seen } = aClient(() => json(200, { data: { quoteId: 'q' } }))
    await client.listAssetGroups()
    await client.createQuote(aQuote)
    const sent = seen.map(({ headers, init }) => [
      init.method,
      headers.get('Authorization'),
      headers.get('Content-Type'),
      init.body,
    ])
    expect(sent).toEqual([
      ['GET', 'Bearer pk_live_x', null, undefined],
      ['POST', 'Bearer pk_live_x', 'application/json', JSON.stringify(aQuote)],
    ])
    expect(seen[0]?.url).toBe('https://rental.example/api/v1/asset-groups')
  })

  it.each([
    ['before it', true],
    ['while it is out', false],
  ])('ends with the reason of its caller’s signal, given %s', async (_, before) => {
    const leaving = new AbortController()
    const leave = () => leaving.abort(new Error('left the page'))
    const { client, seen } = aClient(async () => {
      leave()
      throw new TypeError('aborted')
    })
    if (before) leave()
    const reading = client.listAssetGroups({ signal: leaving.signal })
    await expect(reading).rejects.toThrow('left the page')
    expect([seen.length, seen[0]?.init.signal?.aborted]).toEqual([1, true])
  })

  it('ends when its own time is over, also beside a signal of its caller’s that says nothing', async () => {
    const silent: ClientOptions['fetch'] = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
    const options = { fetch: silent, timeoutSeconds: 0.01, patience: { attemptsMax: 1 } }
    const { client } = aClient(() => json(200, {}), options)
    for (const signal of [undefined, new AbortController().signal]) {
      const error = await caught(client.listAssetGroups(signal && { signal }))
      expect(error).toMatchObject({ status: 0, code: 'NETWORK_ERROR' })
      expect(error.cause).toMatchObject({ name: 'TimeoutError' })
    }
  })

  it('spells an id so that it stays one part of the path', async () => {
    const { client, seen } = aClient(() => json(200, { data: [] }))
    await client.listRates('a/../b?c')
    await client.getBooking('d/e')
    expect(paths(seen)).toEqual(['/asset-groups/a%2F..%2Fb%3Fc/rates', '/bookings/d%2Fe'])
  })
})
