import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Review, reviewBooking } from '../../../src/services/bookings/reviewBooking.ts'
import { customer } from '../../helpers/actors.ts'
import { fromNow } from '../../helpers/dates.ts'
import { useHttpClients } from '../../helpers/httpClients.ts'
import { expectData, expectError, expectInvalid } from '../../helpers/responses.ts'
import { aGroup, aTenant } from '../../helpers/seed.ts'

const clients = useHttpClients()

async function aQuote(assetGroupId = clients.groupId) {
  return expectData(
    await clients.partner.post('/quotes', { ...clients.rental(), assetGroupId }),
    201,
  )
}

async function aBooking(assetGroupId?: string) {
  const { quoteId } = await aQuote(assetGroupId)
  return { quoteId, booking: expectData(await clients.partner.book({ quoteId, customer }), 202) }
}

describe('GET /bookings/{id}', () => {
  it('returns the booking as accepted, without customer data', async () => {
    const { booking } = await aBooking()
    expect(expectData(await clients.partner.get(`/bookings/${booking.bookingId}`), 200)).toEqual(
      booking,
    )
    expect(Date.parse(booking.createdAt)).toBeGreaterThan(Date.parse(fromNow(-1)))
    expect(Date.parse(booking.createdAt)).toBeLessThan(Date.parse(fromNow(1)))
  })

  it("returns the caller's reference, in the response of POST /bookings and later", async () => {
    const { quoteId } = await aQuote()
    const reference = ' TRIP\u00a02035-0117 '
    const booking = expectData(await clients.partner.book({ quoteId, customer, reference }), 202)
    expect(booking).toMatchObject({ reference: 'TRIP 2035-0117', decisionMessage: null })
    expect(expectData(await clients.partner.get(`/bookings/${booking.bookingId}`), 200)).toEqual(
      booking,
    )
  })

  it('returns what staff wrote for the customer with the last decision, and never a reason', async () => {
    const { booking } = await aBooking()
    const decide = (values: Pick<Review, 'decision' | 'message'>) =>
      reviewBooking(clients.database(), {
        bookingId: booking.bookingId,
        actor: 'kari',
        reason: 'internal',
        ...values,
      })
    const read = async () => {
      const response = await clients.partner.get(`/bookings/${booking.bookingId}`)
      expect(response.text).not.toContain('internal')
      return expectData(response, 200)
    }
    expect(await read()).toMatchObject({ status: 'pending', decisionMessage: null })
    await decide({ decision: 'confirm', message: 'Key box 4.\r\nCode by mail. ' })
    expect(await read()).toMatchObject({ decisionMessage: 'Key box 4.\nCode by mail.' })
    await decide({ decision: 'cancel' })
    expect(await read()).toMatchObject({ status: 'cancelled', decisionMessage: null })
  })

  // Two days at 49,900 minor units plus 25 % tax.
  it.each([
    ['JPY', '124750'],
    ['NOK', '1247.50'],
    ['BHD', '124.750'],
  ])('returns the total in %s with the decimals of the currency: %s', async (currency, total) => {
    const { booking } = await aBooking(
      await aGroup(clients.database(), clients.tenantId, { currency }),
    )
    expect(booking).toMatchObject({ currency, estimatedTotal: total })
    const shown = expectData(await clients.partner.get(`/bookings/${booking.bookingId}`), 200)
    expect(shown).toMatchObject({ currency, estimatedTotal: total })
  })

  it.each([
    ['confirmed', 'confirm', 'pending'],
    ['rejected', 'reject', 'pending'],
    ['cancelled', 'cancel', 'pending'],
    // Both statuses have the same length, so the ETag must not depend on it.
    ['cancelled', 'cancel', 'confirmed'],
  ] as const)(
    'returns the status %s and a new ETag after staff %s a booking that was %s',
    async (status, decision, from) => {
      const database = clients.database()
      const { bookingId } = (await aBooking(await aGroup(database, clients.tenantId))).booking
      const path = `/bookings/${bookingId}`
      const review = { bookingId, actor: 'Kari' }
      if (from === 'confirmed') await reviewBooking(database, { ...review, decision: 'confirm' })
      const before = await clients.partner.get(path)
      await reviewBooking(database, { ...review, decision })
      const response = await clients.partner.get(path, {
        'if-none-match': before.headers['etag'] ?? '',
      })
      expect(expectData(response, 200).status).toBe(status)
      expect(response.headers['etag']).not.toBe(before.headers['etag'])
      const again = await clients.partner.get(path, {
        'if-none-match': response.headers['etag'] ?? '',
      })
      expect(again.status).toBe(304)
    },
  )

  it('returns the same 404 for unknown ids and bookings of other keys', async () => {
    const { booking, quoteId } = await aBooking()
    const unknown = await clients.partner.get(`/bookings/${randomUUID()}`)
    expectError(unknown, 404, 'NOT_FOUND')
    const colleague = await clients.anotherPartner()
    const other = await clients.anotherPartner(await aTenant(clients.database()))
    for (const actor of [colleague, other]) {
      const response = await actor.get(`/bookings/${booking.bookingId}`)
      expect([response.status, response.text]).toEqual([404, unknown.text])
    }
    expect((await clients.partner.get(`/bookings/${quoteId}`)).text).toBe(unknown.text)
  })

  it('rejects an id that is not a UUID with 400', async () => {
    for (const id of ['1', '%00', `${randomUUID()}x`, "'%20or%201=1--"]) {
      expectInvalid(await clients.partner.get(`/bookings/${id}`), 'params.id')
    }
  })
})
