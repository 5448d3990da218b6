import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { rowOf } from '../../src/db/connection/statement.ts'
import { bookings, idempotencyRecords, quotes } from '../../src/db/schema/index.ts'
import { ApiError } from '../../src/domain/errors.ts'
import { priceRental } from '../../src/domain/pricing/priceRental.ts'
import { takeSnapshot } from '../../src/domain/pricing/priceSnapshot.ts'
import { bookingResponse, serializeBooking } from '../../src/http/schemas/booking.ts'
import { dataOf, findGroup, findRates, scoped } from './reads.ts'
import type { Db } from './server.ts'

const name = z.string().trim().min(1).max(100)
const customer = { firstName: name, lastName: name, email: z.email(), phone: z.string().optional() }
const place = z.string().trim().max(200).optional()
const booked = { customer: z.object(customer), pickupLocation: place, dropoffLocation: place }
const bookingBody = z.object({ quoteId: z.uuid(), ...booked, notes: place })
const headers = z.object({ 'idempotency-key': z.string().min(1).max(255) })
const times = { pickupDatetime: z.iso.datetime(), dropoffDatetime: z.iso.datetime() }
const quoteBody = z.object({ assetGroupId: z.uuid(), ...times })
const money = { total: z.string(), currency: z.string(), breakdown: z.any() }
const quote = quoteBody.extend({ quoteId: z.uuid(), ...money, expiresAt: z.string() })

export function serveWrites(instance: FastifyInstance, db: Db): void {
  const app = instance.withTypeProvider<ZodTypeProvider>()
  const offering = { body: quoteBody, response: { 201: dataOf(quote) } }
  const create = { ...scoped('quotes:create'), schema: offering }
  app.post('/api/v1/quotes', create, async ({ client: { tenant, key }, body }, reply) => {
    const { currency, ...group } = await findGroup(db, tenant.id, body.assetGroupId)
    const found = await findRates(db, tenant.id, group.id)
    const rental = {
      pickupAt: new Date(body.pickupDatetime),
      dropoffAt: new Date(body.dropoffDatetime),
    }
    const ofGroup = { currency, rates: found.map((rate) => ({ ...rate, currency })), extras: [] }
    const inputs = { ...tenant, ...rental, ...ofGroup }
    const { totalMinor, breakdown, usedRates } = priceRental(inputs)
    const owner = { tenantId: tenant.id, apiKeyId: key.id, assetGroupId: group.id }
    const expiresAt = new Date(Date.now() + 1_800_000)
    const price = { totalMinor, currency, inputs: takeSnapshot(inputs, usedRates), breakdown }
    const row = { ...owner, ...rental, ...price, id: randomUUID(), expiresAt }
    await db.insert(quotes).values(row)
    const { total } = breakdown
    const offer = { ...body, total, currency, breakdown, expiresAt: expiresAt.toISOString() }
    return reply.code(201).send({ data: { quoteId: row.id, ...offer } })
  })

  const schema = { headers, body: bookingBody, response: { 202: bookingResponse } }
  const redeem = { ...scoped('bookings:create'), schema }
  app.post('/api/v1/bookings', redeem, async ({ client, body, headers }, reply) => {
    const owner = { tenantId: client.tenant.id, apiKeyId: client.key.id }
    const attempt = { sessionScope: 'server', idempotencyKey: headers['idempotency-key'] }
    const row = await db.transaction(async (tx) => {
      const offered = rowOf(quotes, owner.tenantId, body.quoteId)
      const [quote] = await tx.select().from(quotes).where(offered).for('update')
      if (quote === undefined || quote.apiKeyId !== owner.apiKeyId)
        throw new ApiError('QUOTE_NOT_FOUND')
      if (quote.usedAt !== null) throw new ApiError('QUOTE_ALREADY_USED')
      if (quote.expiresAt < new Date()) throw new ApiError('QUOTE_EXPIRED')
      await tx.update(quotes).set({ usedAt: new Date() }).where(offered)
      const { id: quoteId, assetGroupId, pickupAt, dropoffAt, totalMinor, currency } = quote
      const rental = { quoteId, assetGroupId, pickupAt, dropoffAt, totalMinor, currency }
      const { firstName, lastName, email, phone } = body.customer
      const contact = { customerFirstName: firstName, customerLastName: lastName }
      const values = { ...owner, ...rental, ...contact, customerEmail: email, customerPhone: phone }
      const { pickupLocation, dropoffLocation, notes } = body
      const places = { pickupLocation, dropoffLocation, notes }
      const [made] = await tx
        .insert(bookings)
        .values({ ...values, ...places })
        .returning()
      if (made === undefined) throw new Error('No booking was inserted')
      const record = { ...attempt, fingerprint: Buffer.alloc(32), outcome: 'ACCEPTED' }
      await tx.insert(idempotencyRecords).values({ ...owner, ...record, bookingId: made.id })
      return made
    })
    return reply.code(202).send({ data: serializeBooking(row) })
  })
}
