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
  rejected,
  sessionsIn,
  tokenOf,
} from './offlineClient.ts'

describe('client session', () => {
  // A quote and its booking need 35 minutes, so a session of an hour is reused for 25 minutes.
  it.each([
    ['lasts one hour', () => tokenOf(3600), 25 * minute],
    ['lasts two hours', () => tokenOf(7200), 50 * minute],
    ['cannot be parsed', () => 'opaque', 25 * minute],
    ['has no times', () => 'e30.e30.c2ln', 25 * minute],
    ['ends before it begins', () => tokenOf(-1), 25 * minute],
    ['ends when it begins', () => tokenOf(0), 25 * minute],
  ])(
    'renews a session that is too old for a quote and its booking when its token %s',
    async (_, token, validMs) => {
      const { client, seen, clock } = aPage(token, () => undefined)
      await client.createQuote(aQuote)
      clock.ms += validMs
      await client.createQuote(aQuote)
      expect(sessionsIn(seen)).toBe(1)
      clock.ms += 1
      await client.createQuote(aQuote)
      expect(sessionsIn(seen)).toBe(2)
      clock.ms += 9 * hour
      await client.createQuote(aQuote)
      expect(sessionsIn(seen)).toBe(3)
    },
  )

  it('creates a session in the next call after creating one has failed', async () => {
    const { client, seen } = aPage(
      () => tokenOf(3600),
      (_, nth) => (nth === 1 ? rejected(503, 'SERVICE_UNAVAILABLE') : undefined),
    )
    expect(await caught(client.createQuote(aQuote))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(await client.createQuote(aQuote)).toEqual({ quoteId: 'q3' })
    expect(sessionsIn(seen)).toBe(2)
  })

  it.each(['SESSION_REQUIRED', 'SESSION_EXPIRED', 'SESSION_INVALID'])(
    'replaces a session after %s and retries the call in the new one',
    async (code) => {
      let made = 0
      const { client, seen } = aPage(
        () => `token-${++made}`,
        (path, nth) => (path === '/quotes' && nth === 2 ? rejected(401, code) : undefined),
      )
      expect(await client.createQuote(aQuote)).toEqual({ quoteId: 'q4' })
      await client.createQuote(aQuote)
      const tokens = seen.map(({ headers }) => headers.get('X-Session-Token'))
      expect(paths(seen)).toEqual(['/sessions', '/quotes', '/sessions', '/quotes', '/quotes'])
      expect(tokens).toEqual([null, 'token-1', null, 'token-2', 'token-2'])
    },
  )

  it('replaces a session once when two concurrent calls are rejected', async () => {
    let made = 0
    const rejectedOnce = new Set<number>()
    const { client, seen } = aPage(
      () => `token-${++made}`,
      (path, nth) => {
        if (path !== '/quotes' || rejectedOnce.size === 2) return undefined
        rejectedOnce.add(nth)
        return rejected(401, 'SESSION_INVALID')
      },
    )
    await Promise.all([client.createQuote(aQuote), client.createQuote(aQuote)])
    expect(sessionsIn(seen)).toBe(2)
  })

  it.each([
    ['creates no session on a server', {}, false],
    [
      'creates no session when there is only a location',
      { location: new URL('file:///a.ts') },
      false,
    ],
    ['creates no session for a null origin without a document', { origin: 'null' }, false],
    ['creates a session in a page', { document: {}, origin: 'null' }, true],
    ['creates a session in a worker without a document', { origin: 'https://shop.example' }, true],
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

describe('client session close to its end', () => {
  // A booking may take five requests of 20 s and 60 s of waits, at most half of the session.
  it.each([
    [3600, 3600 - 160, {}],
    [100, 50, {}],
    [3600, 3600 - 70, { timeoutSeconds: 30, patience: { attemptsMax: 2, waitSecondsMax: 10 } }],
  ])(
    'rejects a booking in a session of %i seconds after %i seconds with options %j',
    async (seconds, lastSeconds, options) => {
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
    },
  )
})
