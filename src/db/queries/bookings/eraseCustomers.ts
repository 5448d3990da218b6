import { domainToASCII } from 'node:url'
import { and, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { BookingStatus } from '../../../domain/bookingRules.ts'
import { foldText } from '../../../domain/foldText.ts'
import { normalizeEmail } from '../../../input/contact.ts'
import type { OrmConnection, StatementRunner } from '../../connection/database.ts'
import { bookingEvents, bookings } from '../../schema/index.ts'
import { findByText } from './bookingText.ts'
import { hasPersonalData, personalColumns } from './detailColumns.ts'
import { isOpen } from './groupCounts.ts'
import { isTransition } from './reviewQueries.ts'

export function findBookingsByEmail(
  database: Pick<StatementRunner, 'pool'>,
  tenantId: string,
  email: string,
): Promise<string[]> {
  const wanted = foldEmail(email)
  const from = 'from bookings b where b.tenant_id = $1 and b.customer_email is not null'
  return findByText(database, 'b.customer_email', from, [tenantId], ({ text }) => {
    return foldEmail(text) === wanted
  })
}

/**
 * Returns the IDs of up to `rowsMax` bookings with a drop-off before an instant that have customer
 * data, or words that staff wrote after the erasure.
 */
export async function findBookingsToErase(
  { orm }: OrmConnection,
  tenantId: string,
  dropoffBefore: Date,
  rowsMax: number,
): Promise<string[]> {
  const { id, dropoffAt, erasedAt } = bookings
  const isPast = [eq(bookings.tenantId, tenantId), lt(dropoffAt, dropoffBefore)]
  const rows = await orm
    .select({ id })
    .from(bookings)
    .where(and(...isPast, isNull(erasedAt)))
    .orderBy(dropoffAt)
    .limit(rowsMax)
  const { tenantId: ofTenant, bookingId, reason, message } = bookingEvents
  const hasWords = sql`coalesce(${reason}, ${message}) is not null`
  const explained = orm
    .select({ bookingId })
    .from(bookingEvents)
    .where(and(eq(ofTenant, tenantId), hasWords, isTransition))
  // The array makes the statement use the primary key, also with outdated statistics.
  const withReasons = await orm
    .select({ id })
    .from(bookings)
    .where(and(...isPast, isNotNull(erasedAt), sql`${id} = any(array(${explained}))`))
    .limit(rowsMax)
  return [...rows, ...withReasons].slice(0, rowsMax).map((row) => row.id)
}

/**
 * Returns up to `rowsMax` bookings of each tenant that were erased in the last 30 days and have personal
 * data: an older release, which still runs, does not erase columns that it does not know.
 */
export async function findUnfinishedErasures({ orm }: OrmConnection, rowsMax: number) {
  const { rows } = await orm.execute<{ tenantId: string; ids: string[] }>(sql`
    select b.tenant_id as "tenantId", (array_agg(distinct b.id))[:${rowsMax}] as ids
    from booking_events e join bookings b on b.tenant_id = e.tenant_id and b.id = e.booking_id
    where e.created_at > now() - interval '30 days' and e.from_status = e.to_status
      and b.erased_at is not null and ${sql.raw(hasPersonalData('b'))}
    group by b.tenant_id`)
  return rows
}

/** Folds an address; the domain in punycode, as browsers send `blåbær.no`. */
function foldEmail(typed: string): string {
  const email = normalizeEmail(typed)
  const at = email.lastIndexOf('@') + 1
  const [local, domain] = [email.slice(0, at), email.slice(at)].map(foldText)
  return `${local}${domainToASCII(email.slice(at)) || domain}`
}

const erased = sql.raw(personalColumns.map((name) => `${name} = null`).join(', '))

/**
 * An erased booking. `again` is true if the booking had no personal data; then only reasons and
 * messages written since its erasure were erased.
 */
type ErasedRow = {
  readonly tenantId: string
  readonly id: string
  readonly status: BookingStatus
  readonly again: boolean
}

/**
 * Erases customer data, reasons, messages and request fingerprints of a tenant's bookings, and records the
 * erasure as an event from the status to itself. Call it in a transaction. The lock is required:
 * without the lock, the reason of a concurrent decision would not be erased.
 */
export async function eraseCustomers(
  { orm }: OrmConnection,
  tenantId: string,
  ids: readonly string[],
  actor: string,
) {
  // One parameter for all IDs, because a statement has 65,535 at most.
  const which = sql`b.id = any(${sql.param(ids)})`
  const { rows: locked } = await orm.execute<{ id: string; open: boolean }>(sql`
    select b.id, ${sql.raw(isOpen('now()'))} as open
    from bookings b where b.tenant_id = ${tenantId} and ${which}
    order by b.id for no key update`)
  const { rows } = await orm.execute<ErasedRow>(sql`
    with erased as (
      update bookings b set ${erased}, erased_at = least(b.erased_at, now())
      from bookings before
      where b.tenant_id = ${tenantId} and ${which}
        and before.tenant_id = b.tenant_id and before.id = b.id
        and (b.erased_at is null or ${sql.raw(hasPersonalData('b'))} or exists (select from booking_events n
          where n.tenant_id = ${tenantId} and n.booking_id = b.id
            and n.from_status <> n.to_status and coalesce(n.reason, n.message) is not null))
      returning b.tenant_id, b.id, b.api_key_id, b.status,
        case when before.erased_at is null or ${sql.raw(hasPersonalData('before'))}
          then 'customer erased' else 'reasons erased' end as reason
    ), reasons as (
      update booking_events e set reason = null, message = null from erased b
      where e.tenant_id = b.tenant_id and e.booking_id = b.id
        and e.from_status <> e.to_status
    ), requests as (
      update idempotency_records r set fingerprint = '' from erased b
      where r.tenant_id = b.tenant_id and r.api_key_id = b.api_key_id and r.booking_id = b.id
    )
    insert into booking_events
      (tenant_id, booking_id, from_status, to_status, actor, reason, created_at)
    select tenant_id, id, status, status, ${actor}, reason, clock_timestamp() from erased
    returning tenant_id as "tenantId", booking_id as id, to_status as status,
      reason = 'reasons erased' as again`)
  const openIds = new Set(locked.filter(({ open }) => open).map(({ id }) => id))
  return rows.map((row) => ({ ...row, open: openIds.has(row.id) }))
}
