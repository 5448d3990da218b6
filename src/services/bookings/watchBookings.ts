import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../db/connection/database.ts'
import { isDatabaseUnavailable } from '../../db/connection/failures.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import {
  assignFeedPositions,
  feedBatchRows,
  findFeedEvent,
  hasUnreadEvents,
  readFeed,
} from '../../db/queries/bookings/bookingFeed.ts'
import type { Tenant } from '../../db/queries/tenants/tenantRows.ts'
import { OperatorError } from '../operatorError.ts'
import { tenantBySlug } from '../tenantTerms.ts'
import { listedBooking } from './listBookings.ts'

/** Polling instead of NOTIFY: a NOTIFY in each booking would serialize all commits. */
const pollMs = 500
const beginningCursor = '0'

type FeedRow = Awaited<ReturnType<typeof readFeed>>[number]

/** A new booking or a decision about one, and the cursor from which to continue after it. */
export type BookingFeedEvent = ReturnType<typeof serializeEvent>

interface WatchOptions {
  readonly signal: AbortSignal
  /** The cursor to continue from. Without one, only events from now on are returned. */
  readonly since?: string | undefined
  /** Receives the cursor after which the first event is returned. */
  onStart(tenant: Tenant, cursor: string): void
  /** Receives the error when the database becomes unavailable, and undefined when it is back. */
  onAvailability(failure: unknown): void
}

/**
 * Yields each booking of a tenant and each decision exactly once and in a fixed order, across
 * restarts, until `signal` is aborted.
 * @throws OperatorError for an unknown tenant, or for a cursor that is not in the feed
 */
export async function* watchBookings(
  database: Database,
  slug: string,
  { since, signal, onStart, onAvailability }: WatchOptions,
): AsyncGenerator<BookingFeedEvent> {
  const tenant = await tenantBySlug(database, slug)
  if (since !== undefined) await checkCursor(database, tenant.id, since)
  else while (!signal.aborted && (await readUnread(database, tenant.id)) === feedBatchRows);
  let cursor = since ?? (await lastCursor(database, tenant.id))
  onStart(tenant, cursor)
  let available = true
  while (!signal.aborted) {
    const page = await readNewEvents(database, tenant.id, cursor).catch((error: unknown) => {
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
    if (page?.length !== feedBatchRows) await delay(pollMs, undefined, { signal }).catch(() => {})
  }
}

async function readNewEvents(database: Database, tenantId: string, cursor: string) {
  await checkCursor(database, tenantId, cursor)
  await readUnread(database, tenantId)
  const rows = await readFeed(database, tenantId, positionOf(cursor), feedBatchRows)
  return rows.map(serializeEvent)
}

/**
 * Adds a batch of new events to the feed and returns how many. Takes no lock while there are none
 * (docs/decisions.md#readers-of-the-feed-assign-its-positions).
 */
async function readUnread(database: Database, tenantId: string): Promise<number> {
  if (!(await hasUnreadEvents(database, tenantId))) return 0
  return inTransaction(database, (transaction) => assignFeedPositions(transaction, tenantId))
}

const cursorOf = (position: string, eventId: string) => `${position}-${eventId.slice(0, 8)}`
const positionOf = (cursor: string) => cursor.split('-')[0] ?? beginningCursor

async function lastCursor(database: Database, tenantId: string): Promise<string> {
  const newest = await findFeedEvent(database, tenantId)
  return newest === undefined ? beginningCursor : cursorOf(newest.position, newest.id)
}

/** Reports whether a text has the form of a cursor, of any feed. */
export const isCursor = (text: string) => /^(0|\d{1,15}-[0-9a-f]{8})$/.test(text)

/**
 * Checks that the feed contains the cursor. Compares the event, too: after a failover or a restore,
 * the position can belong to another event.
 */
async function checkCursor(database: Database, tenantId: string, cursor: string): Promise<void> {
  if (cursor === beginningCursor) return
  const event = await findFeedEvent(database, tenantId, positionOf(cursor))
  if (event && cursorOf(event.position, event.id) === cursor) return
  throw new OperatorError(
    `The cursor "${cursor}" is not one of this feed: it is another tenant's, or it was lost ` +
      `in a failover or a restore. Leave out --since to get only new events, or use --since ` +
      `${beginningCursor} to get all.`,
  )
}

function serializeEvent(row: FeedRow) {
  return {
    cursor: cursorOf(row.position, row.eventId),
    type: row.toStatus ?? ('booked' as const),
    at: row.occurredAt,
    actor: row.actor,
    reason: row.reason,
    message: row.message,
    forced: row.forced,
    booking: listedBooking(row, row.timeZone),
  }
}
