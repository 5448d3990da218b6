import { type SQL, sql } from 'drizzle-orm'
import type { OrmConnection } from './client.ts'
import { folded } from './folded.ts'
import type { RowKey } from './statement.ts'

/** Empties one booking of what says who its customer is. */
export function eraseByBooking(connection: OrmConnection, { tenantId, id }: RowKey, actor: string) {
  return erase(connection, tenantId, sql`b.id = ${id}`, actor)
}

/** The same for a tenant's bookings under an e-mail address, however it is spelled. */
export function eraseByEmail(
  connection: OrmConnection,
  tenantId: string,
  email: string,
  actor: string,
) {
  const isTheirs = sql`${sql.raw(folded('b.customer_email'))} = lower(${email.normalize()})`
  return erase(connection, tenantId, isTheirs, actor)
}

/** Of more than the ASCII that a request may send: nobody's key is this one. */
const erasedKey = 'erased – '

/**
 * One statement: the bookings are emptied, what staff noted about them too, the record of the
 * request gets another key, and no fingerprint (decision 459), and it is recorded who did it. The
 * status stays, so the record's move leads from it to itself.
 */
async function erase({ orm }: OrmConnection, tenantId: string, which: SQL, actor: string) {
  const { rows } = await orm.execute<{ tenantId: string; id: string }>(sql`
    with erased as (
      update bookings b set customer_first_name = null, customer_last_name = null,
        customer_email = null, customer_phone = null, pickup_location = null,
        dropoff_location = null, notes = null, erased_at = now()
      where b.tenant_id = ${tenantId} and ${which} and b.erased_at is null
      returning b.tenant_id, b.id, b.api_key_id, b.status
    ), reasons as (
      update booking_events e set reason = null from erased b
      where e.tenant_id = b.tenant_id and e.booking_id = b.id
    ), requests as (
      update idempotency_records r set fingerprint = '',
        idempotency_key = ${erasedKey} || r.booking_id::text
      from erased b
      where r.tenant_id = b.tenant_id and r.api_key_id = b.api_key_id and r.booking_id = b.id
    )
    insert into booking_events
      (tenant_id, booking_id, from_status, to_status, actor, reason, created_at)
    select tenant_id, id, status, status, ${actor}, 'customer erased', clock_timestamp() from erased
    returning tenant_id as "tenantId", booking_id as id`)
  return rows
}
