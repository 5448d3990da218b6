import { and, asc, eq, sql } from 'drizzle-orm'
import type { OrmConnection } from '../../connection/database.ts'
import { columnsOf, type RowKey, rowOf } from '../../connection/statement.ts'
import {
  apiKeys,
  assetGroups,
  bookingEvents,
  bookings,
  quotes,
  tenants,
} from '../../schema/index.ts'
import { type ShownDetails, shownDetails } from './detailColumns.ts'

/** A rate or an extra of a quote, named in the tenant's own language. */
interface PricedEntry {
  readonly id: string
  readonly name: string
}

export async function findBookingPage({ orm }: OrmConnection, { tenantId, id }: RowKey) {
  const [found] = await orm
    .select({
      ...columnsOf(bookings, 'id', 'status'),
      tenant: columnsOf(tenants, 'id', 'slug', 'name'),
      timezone: tenants.timeZone,
      hours: columnsOf(tenants, 'openingHours', 'specialDays'),
      ...columnsOf(bookings, 'createdAt', 'erasedAt'),
      details: sql<ShownDetails>`${sql.raw(shownDetails('bookings'))}`,
      pickupDatetime: bookings.pickupAt,
      dropoffDatetime: bookings.dropoffAt,
      ...columnsOf(bookings, 'quoteId', 'totalMinor', 'currency'),
      assetGroup: columnsOf(assetGroups, 'id', 'ref', 'name', 'category', 'turnaroundMinutes'),
      breakdown: quotes.breakdown,
      pricedEntries: sql<
        PricedEntry[]
      >`(${quotes.inputs}->'rates') || (${quotes.inputs}->'extras')`,
      apiKey: columnsOf(apiKeys, 'id', 'name'),
      sessionId: quotes.sessionId,
      pricedZone: sql<string>`${quotes.inputs}->>'timeZone'`,
    })
    .from(bookings)
    .innerJoin(tenants, eq(tenants.id, tenantId))
    .innerJoin(assetGroups, rowOf(assetGroups, tenantId, bookings.assetGroupId))
    .innerJoin(quotes, rowOf(quotes, tenantId, bookings.quoteId))
    .innerJoin(apiKeys, rowOf(apiKeys, tenantId, bookings.apiKeyId))
    .where(rowOf(bookings, tenantId, id))
  return found
}

export function findBookingEvents({ orm }: OrmConnection, { tenantId, id }: RowKey) {
  const { createdAt: at, fromStatus: from, toStatus: to } = bookingEvents
  return orm
    .select({ at, from, to, ...columnsOf(bookingEvents, 'actor', 'reason', 'message', 'forced') })
    .from(bookingEvents)
    .where(and(eq(bookingEvents.tenantId, tenantId), eq(bookingEvents.bookingId, id)))
    .orderBy(asc(at), asc(bookingEvents.id))
}
