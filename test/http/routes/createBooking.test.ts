import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { customer } from '../../helpers/actors.ts'
import { inDays } from '../../helpers/dates.ts'
import { useHttpClients } from '../../helpers/httpClients.ts'
import { expectData, expectError, expectInvalid } from '../../helpers/responses.ts'

const clients = useHttpClients()
const { aQuote } = clients

describe('POST /bookings', () => {
  it('returns 202 with the pending booking and its Location', async () => {
    const response = await clients.partner.book({ quoteId: await aQuote(), customer })
    const data = expectData(response, 202)
    expect(data).toMatchObject({
      bookingId: expect.stringMatching(/^[\da-f-]{36}$/),
      status: 'pending',
      assetGroupId: clients.groupId,
      pickupDatetime: inDays(10),
      dropoffDatetime: inDays(12),
      estimatedTotal: '1247.50',
      currency: 'NOK',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    expect(response.headers['location']).toBe(`/api/v1/bookings/${data.bookingId}`)
    expect(response.headers['idempotent-replayed']).toBeUndefined()
    expect(response.headers['cache-control']).toBe('no-store')
  })
})

describe('rejected bookings', () => {
  it('rejects an unknown quote and a quote of another key with 404 QUOTE_NOT_FOUND', async () => {
    const unknown = await clients.partner.book({ quoteId: randomUUID(), customer })
    expectError(unknown, 404, 'QUOTE_NOT_FOUND')
    const quoteId = await aQuote(await clients.anotherPartner())
    const foreign = await clients.partner.book({ quoteId, customer })
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
  })

  it('rejects a quote from another session or channel with 403 QUOTE_SESSION_MISMATCH', async () => {
    const [one, two] = [await clients.aVisitor(), await clients.aVisitor()]
    for (const [quoter, booker] of [
      [one, two],
      [clients.partner, one],
      [one, clients.partner],
    ] as const) {
      const quoteId = await aQuote(quoter)
      expectError(await booker.book({ quoteId, customer }), 403, 'QUOTE_SESSION_MISMATCH')
      expectData(await quoter.book({ quoteId, customer }), 202)
    }
  })

  it('rejects a missing Idempotency-Key with 400', async () => {
    const response = await clients.partner.post('/bookings', { quoteId: randomUUID(), customer })
    expectInvalid(response, 'headers.idempotency-key')
  })
})
