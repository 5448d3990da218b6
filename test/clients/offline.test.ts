import { describe, expect, it } from 'vitest'
import { newBookingAttempt } from '../../clients/typescript/index.ts'
import { customer } from '../helpers/actors.ts'
import { aClient, aQuote, caught, json, paths, rejected } from './offlineClient.ts'

describe('client errors', () => {
  // Needless retries add load to a server that already rejects requests.
  it.each<[number, string, boolean]>([
    [400, 'VALIDATION_ERROR', false],
    [401, 'API_KEY_INVALID', false],
    [403, 'TENANT_SUSPENDED', false],
    [404, 'NOT_FOUND', false],
    [409, 'REQUEST_IN_PROGRESS', true],
    [409, 'QUOTE_EXPIRED', false],
    [422, 'NO_RATE_AVAILABLE', false],
    [429, 'RATE_LIMITED', true],
    [500, 'INTERNAL_ERROR', true],
    [500, 'UNEXPECTED_ANSWER', true],
    [502, 'UNEXPECTED_ANSWER', true],
    [503, 'SERVICE_UNAVAILABLE', true],
    [504, 'UNEXPECTED_ANSWER', true],
  ])('when the response is %i %s, retries the request: %s', async (status, code, repeated) => {
    const { client, seen, waits } = aClient(() =>
      code === 'UNEXPECTED_ANSWER' ? new Response('<h1>', { status }) : rejected(status, code),
    )
    const error = await caught(client.listAssetGroups())
    expect(error).toMatchObject({ status, code, retryable: repeated, outcomeUnknown: false })
    expect([seen.length, waits.length]).toEqual(repeated ? [5, 4] : [1, 0])
  })

  it.each([
    ['de', { 'Content-Language': 'de' }, 'de', 'de'],
    ['fr', { 'Content-Language': 'en' }, 'fr', 'en'],
    ['fr', {}, 'fr', null],
    [undefined, {}, null, null],
  ])(
    'requests texts in the language %s and returns theirs',
    async (language, headers, sent, got) => {
      const { client, seen } = aClient(
        () => json(200, { data: [] }, headers),
        language === undefined ? {} : { language },
      )
      expect(client.contentLanguage()).toBe(null)
      await client.listAssetGroups()
      expect(seen[0]?.headers.get('accept-language')).toBe(sent)
      expect(client.contentLanguage()).toBe(got)
    },
  )

  it.each([
    'https://rental.example',
    'https://rental.example/api/v1',
    'https://rental.example/api/v1/',
    '\n https://rental.example ',
  ])('finds the API for the base URL %s', async (baseUrl) => {
    const { client, seen } = aClient(() => json(200, { data: [] }), { baseUrl })
    await client.listAssetGroups()
    expect(seen[0]?.url).toBe('https://rental.example/api/v1/asset-groups')
  })

  it.each(['rental.example', 'localhost:3000', 'api/v1', 'ftp://rental.example', 'https://'])(
    'throws for the base URL %s',
    (baseUrl) => {
      const respond = () => json(200, { data: [] })
      expect(() => aClient(respond, { baseUrl })).toThrow(
        `must begin with https:// or http://, not "${baseUrl}"`,
      )
    },
  )

  it('does not retry a booking after the 202 of a proxy and sets outcomeUnknown', async () => {
    const { client, seen } = aClient(() => new Response('<h1>Thanks!</h1>', { status: 202 }))
    const booking = client.createBooking({ quoteId: 'q', customer }, newBookingAttempt())
    expect(await caught(booking)).toMatchObject({ retryable: false, outcomeUnknown: true })
    expect(paths(seen)).toEqual(['/bookings'])
  })

  it('returns code, message, details, Retry-After and request id of an error', async () => {
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

  it.each([
    ['"minute";r=0;t=9, "day";r=5;t=900', 60],
    ['"minute";r=3;t=9, "day";r=0;t=900', 86_400],
    ['"minute";r=0;t=9, "day";r=0;t=900', 86_400],
    ['"other";r=0;t=9', undefined],
    ['', undefined],
  ])('returns the length of the exhausted window of %j as %j', async (RateLimit, seconds) => {
    const headers = { RateLimit, 'RateLimit-Policy': '"minute";q=10;w=60, "day";q=200;w=86400' }
    const { client } = aClient(() => rejected(429, 'RATE_LIMITED', headers), {
      patience: { attemptsMax: 1 },
    })
    expect((await caught(client.listAssetGroups())).limitWindowSeconds).toBe(seconds)
  })

  it('waits at most 60 seconds in total for Retry-After', async () => {
    const waitingFor = (seconds: string) =>
      aClient(() => rejected(429, 'RATE_LIMITED', { 'Retry-After': seconds }))
    const [longest, tooLong, twice] = [waitingFor('60'), waitingFor('61'), waitingFor('30')]
    await caught(longest.client.listAssetGroups())
    await caught(tooLong.client.listAssetGroups())
    await caught(twice.client.listAssetGroups())
    expect([longest.waits, tooLong.waits, twice.waits]).toEqual([[60], [], [30, 30]])
  })
})

describe('network errors', () => {
  it('retries a network error with growing random waits', async () => {
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
    // Random waits keep clients that failed together from retrying together.
    expect(waits[1]).not.toBe(2 * (waits[0] ?? 0))
  })
})

describe('conditional requests', () => {
  it('sends the ETag of the same path only', async () => {
    const { client, seen } = aClient((path, nth) =>
      nth <= 2
        ? json(200, { data: [path] }, { ETag: `"${path}"` })
        : new Response(null, { status: 304 }),
    )
    for (const id of ['a', 'b', 'a', 'b']) {
      expect(await client.listRates(id)).toEqual([`/asset-groups/${id}/rates`])
    }
    const etags = seen.map(({ headers }) => headers.get('If-None-Match'))
    expect(etags).toEqual([null, null, '"/asset-groups/a/rates"', '"/asset-groups/b/rates"'])
  })
})

describe('client requests', () => {
  it('sends the API key, and Content-Type when there is a body', async () => {
    const options = { apiKey: ' pk_live_x\n' }
    const { client, seen } = aClient(() => json(200, { data: { quoteId: 'q' } }), options)
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
})
