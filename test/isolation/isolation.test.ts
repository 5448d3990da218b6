import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, aPage, aVisitor } from '../helpers/actors.ts'
import { useTestApp } from '../helpers/app.ts'
import { observeExchanges } from '../helpers/contract.ts'
import { inDays } from '../helpers/dates.ts'
import { expectData, expectError, type TestResponse } from '../helpers/responses.ts'
import { aMarkedTenant, aSecondKey, bookingOf, type Marked, quoteFor } from './canaries.ts'

const server = useTestApp()
/** Every response of this file, with the key of the request. */
const responses: { readonly key: string; readonly url: string; readonly text: string }[] = []
let north: Marked
let south: Marked
let northTwo: Marked

beforeAll(async () => {
  observeExchanges(server.app.server, ({ requestHeaders, url, headers, body }) => {
    const key = String(requestHeaders['authorization']).replace('Bearer ', '')
    responses.push({ key, url, text: JSON.stringify(headers) + body })
  })
  north = await aMarkedTenant(server, 'CANARY-NORTH')
  south = await aMarkedTenant(server, 'CANARY-SOUTH')
  northTwo = await aSecondKey(server, north, 'CANARY-TWIN')
})

const period = `from=${inDays(1)}&to=${inDays(2)}`

/** Every endpoint parameter that takes an id, and the ids it is tested with. */
const idUses: readonly {
  readonly name: string
  readonly ids: readonly (keyof Marked)[]
  /** Whether every key of the tenant has access. */
  readonly shared: boolean
  request(actor: Actor, id: string, own: Marked): PromiseLike<TestResponse>
}[] = [
  {
    name: 'the group of rates',
    ids: ['groupId', 'tenantId', 'rateId', 'quoteId', 'bookingId', 'extraId'],
    shared: true,
    request: (actor, id) => actor.get(`/asset-groups/${id}/rates`),
  },
  {
    name: 'the group of availability',
    ids: ['groupId', 'tenantId', 'rateId', 'quoteId', 'bookingId', 'extraId'],
    shared: true,
    request: (actor, id) => actor.get(`/asset-groups/${id}/availability?${period}`),
  },
  {
    name: 'the id of a booking',
    ids: ['bookingId', 'quoteId', 'groupId', 'tenantId'],
    shared: false,
    request: (actor, id) => actor.get(`/bookings/${id}`),
  },
  {
    name: 'the group of a quote',
    ids: ['groupId', 'rateId', 'tenantId'],
    shared: true,
    request: (actor, id, own) => actor.post('/quotes', quoteFor(id, own.extraId)),
  },
  {
    name: 'the extra of a quote',
    ids: ['extraId', 'rateId', 'groupId'],
    shared: true,
    request: (actor, id, own) => actor.post('/quotes', quoteFor(own.groupId, id)),
  },
  {
    name: 'the quote of a booking',
    ids: ['quoteId', 'bookingId', 'groupId'],
    shared: false,
    request: (actor, id, own) => actor.book(bookingOf(id, own.mark)),
  },
]

/** Headers that differ between equal responses. */
const passing = /^(x-request-id|date|x-ratelimit-.*|ratelimit.*)$/
const lasting = ({ status, headers, text }: TestResponse) => ({
  status,
  text,
  headers: Object.entries(headers).filter(([name]) => !passing.test(name)),
})

describe('ids of another tenant or key', () => {
  it.each(idUses)(
    'returns the same 404 for an unknown id and an id of another tenant or key used as $name',
    async ({ ids, shared, request }) => {
      const ways: [Marked, Marked][] = [
        [north, south],
        [south, north],
        ...(shared
          ? []
          : [[north, northTwo] as [Marked, Marked], [northTwo, north] as [Marked, Marked]]),
      ]
      for (const [own, other] of ways) {
        const visitor = await aVisitor(server, own.key.key, own.origin)
        for (const actor of [own.actor, visitor]) {
          const unknown = await request(actor, randomUUID(), own)
          expect(unknown.status).toBe(404)
          for (const id of ids) {
            const response = await request(actor, String(other[id]), own)
            expect([id, lasting(response)]).toEqual([id, lasting(unknown)])
          }
        }
      }
    },
  )

  it('never replays a response recorded for another tenant', async () => {
    const quote = await south.actor.post('/quotes', quoteFor(south.groupId, south.extraId))
    const mine = await south.actor.book(
      bookingOf(expectData(quote, 201).quoteId, south.mark),
      `${north.mark}-idempotency`,
    )
    expect(expectData(mine, 202).bookingId).not.toBe(north.bookingId)
    expect(mine.headers['idempotent-replayed']).toBeUndefined()
  })

  it('rejects a session of another tenant with 401 SESSION_INVALID', async () => {
    const session = expectData(
      await aPage(server, south.key.key, south.origin).post('/sessions'),
      201,
    )
    const thief = aPage(server, north.key.key, north.origin)
    const quote = quoteFor(north.groupId, north.extraId)
    const headers = { 'x-session-token': session.sessionToken }
    expectError(await thief.post('/quotes', quote, headers), 401, 'SESSION_INVALID')
  })
})

describe('the responses to a caller', () => {
  it('returns the whole catalog and the bookings of the caller', async () => {
    for (const own of [north, south, northTwo]) {
      const groups = expectData(await own.actor.get('/asset-groups'), 200)
      expect(groups.map(({ id }: { id: string }) => id)).toEqual([own.groupId])
      const rates = expectData(await own.actor.get(`/asset-groups/${own.groupId}/rates`), 200)
      expect(rates.map(({ id }: { id: string }) => id)).toEqual([own.rateId])
      expectData(await own.actor.get(`/bookings/${own.bookingId}`), 200)
      expectData(await own.actor.get(`/asset-groups/${own.groupId}/availability?${period}`), 200)
      expectData(await own.actor.post('/quotes', quoteFor(own.groupId, own.extraId)), 201)
    }
  })

  it('returns no data of another tenant or of any customer', async () => {
    // Sends its own requests, so that it does not depend on the other tests.
    for (const own of [north, south, northTwo]) {
      for (const other of [north, south, northTwo]) {
        for (const { request, ids } of idUses) {
          for (const id of ids) await request(own.actor, String(other[id]), own)
        }
      }
    }
    const foreign = new Map([
      [north.key.key, [south.mark]],
      [northTwo.key.key, [south.mark]],
      [south.key.key, [north.mark, northTwo.mark]],
    ])
    expect(responses.length).toBeGreaterThan(200)
    for (const { key, url, text } of responses) {
      for (const mark of foreign.get(key) ?? []) {
        expect([url, text.toUpperCase().includes(mark)]).toEqual([url, false])
      }
      expect(text).not.toMatch(/CANARY-\w+-(first|last|pickup|dropoff|notes|tenant|slug|key|ref)/i)
      expect(text).not.toMatch(/@mail\.example/i)
    }
  })
})
