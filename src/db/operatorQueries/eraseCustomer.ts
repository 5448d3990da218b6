import { domainToASCII, domainToUnicode } from 'node:url'
import { type SQL, sql } from 'drizzle-orm'
import type { BookingStatus } from '../../domain/bookings.ts'
import type { OrmConnection } from '../connection/database.ts'
import type { RowKey } from '../connection/statement.ts'
import { isOpen } from '../queries/groupStock.ts'

/** Erases the customer of one booking. Call it in a transaction. */
export function eraseByBooking(connection: OrmConnection, { tenantId, id }: RowKey, actor: string) {
  return erase(connection, tenantId, sql`b.id = ${id}`, actor)
}

/**
 * Erases the customer of all a tenant's bookings with an email address. Call it in a transaction.
 */
export async function eraseByEmail(
  connection: OrmConnection,
  tenantId: string,
  email: string,
  actor: string,
) {
  // A separate statement, because Citus does not support this comparison in a statement that
  // writes.
  const spellings = spellingsOf(email).map((spelling) => sql`lower(${spelling})`)
  const { rows } = await connection.orm.execute<{ id: string }>(sql`
    select b.id from bookings b where b.tenant_id = ${tenantId} and
      lower(b.customer_email) in (${sql.join(spellings, sql`, `)})`)
  const ids = rows.map(({ id }) => id)
  return erase(connection, tenantId, sql`b.id = any(${sql.param(ids)})`, actor)
}

/** Returns an address with all spellings of its domain: browsers send `blåbær.no` in punycode. */
function spellingsOf(email: string): string[] {
  const at = email.lastIndexOf('@') + 1
  const domains = [domainToASCII, domainToUnicode].map((convert) => convert(email.slice(at)))
  return [email, ...domains.filter(Boolean).map((domain) => email.slice(0, at) + domain)]
}

/**
 * An erased booking. `again` is true if the booking was already erased; then only reasons written
 * since were erased.
 */
type ErasedRow = {
  readonly tenantId: string
  readonly id: string
  readonly status: BookingStatus
  readonly again: boolean
}

/**
 * Erases customer data, reasons and request fingerprints, and records the erasure as an event from
 * the status to itself. The lock is required: without the lock, the reason of a concurrent decision
 * would not be erased.
 */
async function erase({ orm }: OrmConnection, tenantId: string, which: SQL, actor: string) {
  const { rows: locked } = await orm.execute<{ id: string; open: boolean }>(sql`
    select b.id, ${sql.raw(isOpen('now()'))} as open
    from bookings b where b.tenant_id = ${tenantId} and ${which}
    order by b.id for no key update`)
  const { rows } = await orm.execute<ErasedRow>(sql`
    with erased as (
      update bookings b set customer_first_name = null, customer_last_name = null,
        customer_email = null, customer_phone = null, pickup_location = null,
        dropoff_location = null, notes = null, erased_at = least(b.erased_at, now())
      from bookings before
      where b.tenant_id = ${tenantId} and ${which}
        and before.tenant_id = b.tenant_id and before.id = b.id
        and (b.erased_at is null or exists (select from booking_events n
          where n.tenant_id = ${tenantId} and n.booking_id = b.id
            and n.from_status <> n.to_status and n.reason is not null))
      returning b.tenant_id, b.id, b.api_key_id, b.status,
        case when before.erased_at is null then 'customer erased' else 'reasons erased' end as reason
    ), reasons as (
      update booking_events e set reason = null from erased b
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
