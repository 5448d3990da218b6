import { and, asc, eq, gt, inArray, isNull, lt, notExists, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { columnsOf, rowOf } from '../../src/db/connection/statement.ts'
import { assetBlocks, assetGroups, assets, bookings, rates } from '../../src/db/schema/index.ts'
import type { Scope } from '../../src/domain/access.ts'
import { ApiError } from '../../src/domain/errors.ts'
import { availableFromMs, peakOf, timelineOf } from '../../src/domain/occupancy.ts'
import { writePrices } from '../../src/domain/pricing/rates.ts'
import { bookingResponse, serializeBooking } from '../../src/http/schemas/booking.ts'
import type { Db } from './server.ts'

const text = z.string().nullable()
const names = { id: z.uuid(), name: z.string() }
const group = z.object({ ...names, category: z.string(), description: text, imageUrl: text })
const prices = { dailyRate: z.string(), hourlyRate: text, weeklyRate: text, monthlyRate: text }
const validity = { currency: z.string(), validFrom: text, validTo: text }
const rate = z.object({ ...names, ...prices, ...validity })
const counts = { available: z.boolean(), availableCount: z.int(), totalAssets: z.int() }
const count = z.object({ assetGroupId: z.uuid(), from: z.string(), to: z.string(), ...counts })
const params = z.object({ id: z.uuid() })
const querystring = z.object({ from: z.iso.datetime(), to: z.iso.datetime() })
export const dataOf = (schema: z.ZodType) => z.object({ data: schema })
export const scoped = (scope: Scope) => ({ config: { scope } })
const ok = (schema: z.ZodType) => ({ response: { 200: dataOf(schema) } })

const columns = columnsOf(assetGroups, 'id', 'name', 'category', 'description', 'imageUrl')

export async function findGroup(db: Db, tenantId: string, id: string) {
  const query = db.select(columnsOf(assetGroups, 'id', 'currency', 'turnaroundMinutes'))
  const offered = and(rowOf(assetGroups, tenantId, id), isNull(assetGroups.archivedAt))
  const [found] = await query.from(assetGroups).where(offered)
  if (found === undefined) throw new ApiError('NOT_FOUND')
  return found
}

export const findRates = (db: Db, tenantId: string, groupId: string) =>
  db
    .select()
    .from(rates)
    .where(and(eq(rates.tenantId, tenantId), eq(rates.assetGroupId, groupId)))
    .orderBy(sql`${rates.validFrom} nulls first`, asc(rates.name), asc(rates.id))

export function serveReads(instance: FastifyInstance, db: Db): void {
  const app = instance.withTypeProvider<ZodTypeProvider>()
  const read = scoped('availability:read')
  const root = '/api/v1/asset-groups'

  app.get(root, { ...read, schema: ok(z.array(group)) }, async ({ client }) => {
    const offered = and(eq(assetGroups.tenantId, client.tenant.id), isNull(assetGroups.archivedAt))
    const order = [asc(assetGroups.category), asc(assetGroups.name), asc(assetGroups.id)]
    const rows = db.select(columns).from(assetGroups)
    return { data: await rows.where(offered).orderBy(...order) }
  })

  const listing = { ...scoped('rates:read'), schema: { params, ...ok(z.array(rate)) } }
  app.get(`${root}/:id/rates`, listing, async ({ client, params }) => {
    const { currency } = await findGroup(db, client.tenant.id, params.id)
    const found = await findRates(db, client.tenant.id, params.id)
    return { data: found.map((row) => ({ ...row, currency, ...writePrices(row, currency) })) }
  })

  const counting = { ...read, schema: { params, querystring, ...ok(count) } }
  app.get(`${root}/:id/availability`, counting, async ({ client, params: { id }, query }) => {
    const tenantId = client.tenant.id
    const { turnaroundMinutes } = await findGroup(db, tenantId, id)
    const from = new Date(query.from)
    const to = new Date(availableFromMs(Date.parse(query.to), turnaroundMinutes))
    const ofAsset = and(eq(assetBlocks.tenantId, tenantId), eq(assetBlocks.assetId, assets.id))
    const inWindow = and(lt(assetBlocks.startsAt, to), gt(assetBlocks.endsAt, from))
    const blocks = db.select().from(assetBlocks).where(and(ofAsset, inWindow))
    const vehicles = and(eq(assets.tenantId, tenantId), eq(assets.assetGroupId, id))
    const around = sql`tstzrange(${from.toISOString()}::timestamptz
      - make_interval(mins => ${turnaroundMinutes}), ${to.toISOString()}::timestamptz)`
    const overlapping = and(
      ...[eq(bookings.tenantId, tenantId), eq(bookings.assetGroupId, id)],
      inArray(bookings.status, ['pending', 'confirmed']),
      sql`tstzrange(${bookings.pickupAt}, ${bookings.dropoffAt}) && ${around}`,
    )
    const [totalAssets, inService, taken] = await Promise.all([
      db.$count(assets, vehicles),
      db.$count(assets, and(vehicles, notExists(blocks))),
      db
        .select(columnsOf(bookings, 'pickupAt', 'dropoffAt'))
        .from(bookings)
        .where(overlapping),
    ])
    const pickupsMs = taken.map(({ pickupAt }) => pickupAt.getTime())
    const dropoffsMs = taken.map(({ dropoffAt }) => dropoffAt.getTime())
    const timeline = timelineOf(turnaroundMinutes, [{ pickupsMs, dropoffsMs }])
    const free = inService - peakOf(timeline, from.getTime(), to.getTime())
    const availableCount = Math.max(0, free)
    const window = { from: from.toISOString(), to: new Date(query.to).toISOString() }
    const counts = { available: availableCount > 0, availableCount, totalAssets }
    return { data: { assetGroupId: id, ...window, ...counts } }
  })

  const polling = {
    ...scoped('bookings:read'),
    schema: { params, response: { 200: bookingResponse } },
  }
  app.get('/api/v1/bookings/:id', polling, async ({ client: { tenant, key }, params: { id } }) => {
    const ofKey = and(rowOf(bookings, tenant.id, id), eq(bookings.apiKeyId, key.id))
    const [row] = await db.select().from(bookings).where(ofKey)
    if (row === undefined) throw new ApiError('NOT_FOUND')
    return { data: serializeBooking(row) }
  })
}
