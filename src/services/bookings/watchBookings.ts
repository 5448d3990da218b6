import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../db/connection/database.ts'
import { isDatabaseUnavailable } from '../../db/connection/failures.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import {
  appendUnreportedEvents,
  eventAt,
  hasUnreportedEvents,
  readEntries,
  readFeed,
} from '../../db/operatorQueries/bookingFeed.ts'
import type { Tenant } from '../../db/operatorQueries/tenants.ts'
import { OperatorError } from '../operatorError.ts'
import { tenantBySlug } from '../tenants.ts'
import { listedBooking } from './listBookings.ts'

/** The database does not notify: a NOTIFY in a booking would make all commits wait for each other. */
const pollMs = 500
const pageRows = 500
const beginningCursor = '0'

type Entry = Awaited<ReturnType<typeof readEntries>>[number]

/** A booking that was made, or a decision about one, with the cursor that lies behind it. */
export type BookingNews = ReturnType<typeof present>

interface WatchOptions {
  readonly signal: AbortSignal
  /** The cursor to go on from; without it only what comes from now on is told. */
  readonly since?: string | undefined
  /** Receives the cursor after which the first booking or decision is returned. */
  onStart(tenant: Tenant, cursor: string): void
  /** Receives the error when the database becomes unavailable, and undefined when it is back. */
  onAvailability(failure: unknown): void
}

/**
 * Tells each booking of a tenant and each decision, until `signal` is aborted: in one order that never
 * changes, none left out and none twice, whatever is restarted (decision 407).
 * @throws OperatorError for an unknown tenant, or a cursor that is not, or no longer (decision 469), its own
 */
export async function* watchBookings(
  database: Database,
  slug: string,
  { since, signal, onStart, onAvailability }: WatchOptions,
): AsyncGenerator<BookingNews> {
  const tenant = await tenantBySlug(database, slug)
  if (since === undefined) await enterNews(database, tenant.id)
  else await checkCursor(database, tenant.id, since)
  let cursor = since ?? (await lastCursor(database, tenant.id))
  onStart(tenant, cursor)
  let available = true
  while (!signal.aborted) {
    const page = await readNews(database, tenant.id, cursor).catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) throw error
      if (available) onAvailability(error)
      available = false
      return undefined
    })
    if (page !== undefined && !available) {
      onAvailability(undefined)
      available = true
    }
    for (const one of page ?? []) {
      if (signal.aborted) return
      yield one
      cursor = one.cursor
    }
    if (page?.length !== pageRows) await delay(pollMs, undefined, { signal }).catch(() => {})
  }
}

async function readNews(database: Database, tenantId: string, cursor: string) {
  await checkCursor(database, tenantId, cursor)
  await enterNews(database, tenantId)
  return (await readEntries(database, tenantId, positionOf(cursor), pageRows)).map(present)
}

/** Locks and writes only when there is something to write; a restored backup may have no feed. */
async function enterNews(database: Database, tenantId: string): Promise<void> {
  const state = await readFeed(database, tenantId, 'read')
  if (state && !state.stale && !(await hasUnreportedEvents(database, tenantId, state))) return
  await inTransaction(database, async (transaction) => {
    const locked = await readFeed(transaction, tenantId, 'lock')
    // Only under the lock is everything seen that others have entered.
    if (locked) await appendUnreportedEvents(transaction, tenantId, locked)
  })
}

const cursorOf = (position: string, eventId: string) => `${position}-${eventId.slice(0, 8)}`
const positionOf = (cursor: string) => cursor.split('-')[0] ?? beginningCursor

async function lastCursor(database: Database, tenantId: string): Promise<string> {
  const { position = beginningCursor } = (await readFeed(database, tenantId, 'read')) ?? {}
  const eventId = await eventAt(database, tenantId, position)
  return eventId === undefined ? beginningCursor : cursorOf(position, eventId)
}

/** Whether a text has the form of a cursor, whatever feed it is of. */
export const isCursor = (text: string) => /^(0|\d{1,15}-[0-9a-f]{8})$/.test(text)

/** After a failover or a restored backup, the same position may be nobody's, or another event's. */
async function checkCursor(database: Database, tenantId: string, cursor: string): Promise<void> {
  if (cursor === beginningCursor) return
  const eventId = await eventAt(database, tenantId, positionOf(cursor))
  if (eventId && cursorOf(positionOf(cursor), eventId) === cursor) return
  throw new OperatorError(
    `The cursor "${cursor}" is not one of this feed: it is another tenant's, older than a year, or ` +
      `from before a failover or a restored backup lost it. Use --since ${beginningCursor} to get ` +
      'everything that is kept.',
  )
}

function present(row: Entry) {
  return {
    cursor: cursorOf(row.position, row.eventId),
    type: row.toStatus ?? ('booked' as const),
    at: row.occurredAt,
    actor: row.actor,
    reason: row.reason,
    forced: row.forced ?? false,
    booking: {
      ...listedBooking(row, row.timeZone),
      pickupLocation: row.pickupLocation,
      dropoffLocation: row.dropoffLocation,
      notes: row.notes,
    },
  }
}
