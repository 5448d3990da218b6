import { randomUUID } from 'node:crypto'
import { and, asc, eq, gt, gte, inArray, isNull, lt, notExists, or, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { columnsOf, rowOf } from '../../src/db/connection/statement.ts'
import * as table from '../../src/db/schema/index.ts'
import { ApiError, notFound } from '../../src/domain/errors.ts'
import { availableFrom } from '../../src/domain/occupancy.ts'
import { priceRental } from '../../src/domain/pricing/priceRental.ts'
import { takeSnapshot } from '../../src/domain/pricing/priceSnapshot.ts'
import { formatPrices } from '../../src/domain/pricing/rates.ts'
import { serializeBooking } from '../../src/http/schemas/booking.ts'
import type { BookingDetails } from '../../src/input/bookingDetails.ts'
import type { Db } from './server.ts'

const { assetBlocks, assetGroups, assets, bookings, idempotencyRecords, quotes, rates } = table

type QuoteBody = { assetGroupId: string; pickupDatetime: Date; dropoffDatetime: Date }
type Handler = (
  request: FastifyRequest<{
    Params: { id: string }
    Querystring: { from: Date; to: Date }
    Body: QuoteBody & BookingDetails & { quoteId: string }
  }>,
) => Promise<unknown>

/** Returns a handler for each operation by its id. */
export function handlersOn(db: Db): Readonly<Record<string, Handler>> {
  async function findGroup(tenantId: string, id: string) {
    const offered = and(rowOf(assetGroups, tenantId, id), isNull(assetGroups.archivedAt))
    const columns = columnsOf(assetGroups, 'id', 'currency', 'turnaroundMinutes')
    const [found] = await db.select(columns).from(assetGroups).where(offered)
    if (found === undefined) throw notFound('asset group')
    return found
  }

  async function findRates(tenantId: string, { id, currency }: { id: string; currency: string }) {
    const current = or(isNull(rates.validTo), gte(rates.validTo, sql`current_date`))
    const ofGroup = and(eq(rates.tenantId, tenantId), eq(rates.assetGroupId, id))
    const order = [sql`${rates.validFrom} nulls first`, asc(rates.name), asc(rates.id)]
    const rows = await db
      .select()
      .from(rates)
      .where(and(ofGroup, isNull(rates.archivedAt), current))
      .orderBy(...order)
    return rows.map((rate) => ({ ...rate, currency }))
  }

  const listAssetGroups: Handler = ({ client: { tenant } }) =>
    db
      .select(columnsOf(assetGroups, 'id', 'name', 'category', 'description', 'imageUrl'))
      .from(assetGroups)
      .where(and(eq(assetGroups.tenantId, tenant.id), isNull(assetGroups.archivedAt)))
      .orderBy(asc(assetGroups.category), asc(assetGroups.name), asc(assetGroups.id))

  const listRates: Handler = async ({ client: { tenant }, params: { id } }) => {
    const group = await findGroup(tenant.id, id)
    const found = await findRates(tenant.id, group)
    return found.map((rate) => ({ ...rate, ...formatPrices(rate, group.currency) }))
  }

  const getAvailability: Handler = async ({ client: { tenant }, params: { id }, query }) => {
    const { turnaroundMinutes } = await findGroup(tenant.id, id)
    const from = query.from
    const to = availableFrom(query.to, turnaroundMinutes)
    const ofAsset = and(eq(assetBlocks.tenantId, tenant.id), eq(assetBlocks.assetId, assets.id))
    const active = isNull(assetBlocks.archivedAt)
    const inWindow = and(lt(assetBlocks.startsAt, to), gt(assetBlocks.endsAt, from), active)
    const blocks = db.select().from(assetBlocks).where(and(ofAsset, inWindow))
    const ofGroup = and(eq(assets.tenantId, tenant.id), eq(assets.assetGroupId, id))
    const vehicles = and(ofGroup, isNull(assets.archivedAt))
    const overlapping = and(
      eq(bookings.tenantId, tenant.id),
      eq(bookings.assetGroupId, id),
      inArray(bookings.status, ['pending', 'confirmed']),
      sql`tstzrange(${bookings.pickupAt}, ${bookings.dropoffAt}) && tstzrange(
        ${from.toISOString()}::timestamptz - make_interval(mins => ${turnaroundMinutes}),
        ${to.toISOString()}::timestamptz)`,
    )
    const [totalAssets, inService, taken] = await Promise.all([
      db.$count(assets, vehicles),
      db.$count(assets, and(vehicles, notExists(blocks))),
      db
        .select(columnsOf(bookings, 'pickupAt', 'dropoffAt'))
        .from(bookings)
        .where(overlapping),
    ])
    const changes = taken.flatMap(({ pickupAt, dropoffAt }) => [
      { at: Math.max(+pickupAt, +from), by: 1 },
      { at: +availableFrom(dropoffAt, turnaroundMinutes), by: -1 },
    ])
    changes.sort((a, b) => a.at - b.at || a.by - b.by)
    let [rented, peak] = [0, 0]
    for (const { by } of changes) {
      rented += by
      peak = Math.max(peak, rented)
    }
    const availableCount = Math.max(0, inService - peak)
    const window = { from: from.toISOString(), to: query.to.toISOString() }
    const available = availableCount > 0
    return { assetGroupId: id, ...window, available, availableCount, totalAssets, soldOut: [] }
  }

  const getBooking: Handler = async ({ client: { tenant, key }, params: { id } }) => {
    const ofKey = and(rowOf(bookings, tenant.id, id), eq(bookings.apiKeyId, key.id))
    const [row] = await db.select().from(bookings).where(ofKey)
    if (row === undefined) throw notFound('booking')
    return serializeBooking({ ...row, decisionMessage: null })
  }

  const createQuote: Handler = async ({ client: { tenant, key }, body }) => {
    const group = await findGroup(tenant.id, body.assetGroupId)
    const period = { pickupAt: body.pickupDatetime, dropoffAt: body.dropoffDatetime }
    const { currency } = group
    const priced = { currency, rates: await findRates(tenant.id, group), extras: [] }
    const inputs = { ...tenant, ...period, ...priced }
    const { totalMinor, breakdown, usedRates } = priceRental(inputs)
    const owner = { tenantId: tenant.id, apiKeyId: key.id, assetGroupId: group.id }
    const price = { totalMinor, currency, inputs: takeSnapshot(inputs, usedRates), breakdown }
    const [expiresAt, id] = [new Date(Date.now() + 1_800_000), randomUUID()]
    await db.insert(quotes).values({ ...owner, ...period, ...price, id, expiresAt })
    const times = { pickupDatetime: period.pickupAt, dropoffDatetime: period.dropoffAt, expiresAt }
    const written = JSON.parse(JSON.stringify(times))
    return { quoteId: id, assetGroupId: group.id, ...breakdown, currency, breakdown, ...written }
  }

  const createBooking: Handler = ({ client: { tenant, key }, body, headers }) =>
    db.transaction(async (tx) => {
      const owner = { tenantId: tenant.id, apiKeyId: key.id }
      const offered = rowOf(quotes, tenant.id, body.quoteId)
      const [quote] = await tx.select().from(quotes).where(offered).for('update')
      if (quote?.apiKeyId !== key.id) throw new ApiError('QUOTE_NOT_FOUND')
      if (quote?.usedAt !== null) throw new ApiError('QUOTE_ALREADY_USED')
      if (quote.expiresAt < new Date()) throw new ApiError('QUOTE_EXPIRED')
      await tx.update(quotes).set({ usedAt: new Date() }).where(offered)
      const { id: quoteId, assetGroupId, pickupAt, dropoffAt, totalMinor, currency } = quote
      const rental = { quoteId, assetGroupId, pickupAt, dropoffAt, totalMinor, currency }
      const { firstName, lastName, email, phone } = body.customer
      const names = { customerFirstName: firstName, customerLastName: lastName }
      const contact = { ...names, customerEmail: email, customerPhone: phone, notes: body.notes }
      const row = { ...owner, ...rental, ...contact }
      const [made] = await tx.insert(bookings).values(row).returning()
      if (made === undefined) throw new Error('No booking was inserted')
      const attempt = { sessionScope: 'server', fingerprint: Buffer.alloc(32), outcome: 'ACCEPTED' }
      const idempotencyKey = String(headers['idempotency-key'])
      const record = { ...owner, ...attempt, idempotencyKey, bookingId: made.id }
      await tx.insert(idempotencyRecords).values(record)
      return serializeBooking({ ...made, decisionMessage: null })
    })

  return { listAssetGroups, listRates, getAvailability, getBooking, createQuote, createBooking }
}
