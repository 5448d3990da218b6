import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createClient, newBookingAttempt } from '../../clients/typescript/index.ts'
import { customer } from '../helpers/actors.ts'
import { watching } from './fetches.ts'
import {
  aClient,
  aPage,
  aQuote,
  caught,
  hour,
  json,
  minute,
  paths,
  refused,
  sessionsIn,
  tokenOf,
} from './offlineClient.ts'

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

  it.each([
    ['is not made on a server, which needs none', {}, false],
    ['nor where scripts only have a location', { location: new URL('file:///a.ts') }, false],
    ['nor where the origin is of no site', { origin: 'null' }, false],
    ['is made in pages', { document: {}, origin: 'null' }, true],
    ['is made in workers, which have no document', { origin: 'https://shop.example' }, true],
  ])('%s', async (_, globals, isMade) => {
    onTestFinished(() => void vi.unstubAllGlobals())
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
    const { fetch, seen } = watching(async () =>
      json(201, { data: { quoteId: 'q', sessionToken: 'token' } }),
    )
    const client = createClient({ baseUrl: 'https://rental.example', apiKey: 'pk_live_x', fetch })
    await client.createQuote(aQuote)
    expect(paths(seen)).toEqual(isMade ? ['/sessions', '/quotes'] : ['/quotes'])
    const token = seen.at(-1)?.headers.get('X-Session-Token')
    expect(token).toBe(isMade ? 'token' : null)
  })
})

describe('a session that is about to end', () => {
  // Five requests of 20 seconds and a minute between them; of a short session half its life.
  it.each([
    [3600, 3600 - 160, {}],
    [100, 50, {}],
    [3600, 3600 - 70, { timeoutSeconds: 30, patience: { attemptsMax: 2, waitSecondsMax: 10 } }],
  ])('of %i seconds begins no booking after %i, with %j', async (seconds, lastSeconds, options) => {
    for (const [lateMs, sent] of [
      [0, ['/sessions', '/quotes', '/bookings']],
      [1, ['/sessions', '/quotes']],
    ] as const) {
      const { client, seen, clock } = aClient(
        (path) =>
          json(201, {
            data: path === '/sessions' ? { sessionToken: tokenOf(seconds) } : { quoteId: 'q' },
          }),
        { session: true, ...options },
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
