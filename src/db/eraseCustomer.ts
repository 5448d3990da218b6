import { eq, type SQL, sql } from 'drizzle-orm'
import type { OrmConnection } from './client.ts'
import { folded } from './folded.ts'
import { bookings } from './schema.ts'

/** Whether there is such a booking, erased or not. Looks over all tenants, for the operator. */
export async function bookingExists({ orm }: OrmConnection, id: string): Promise<boolean> {
  const found = await orm.select({ id: bookings.id }).from(bookings).where(eq(bookings.id, id))
  return found.length > 0
}

/** Empties one booking of what says who its customer is; over all tenants, for the operator. */
export function eraseByBooking(connection: OrmConnection, id: string, actor: string) {
  return erase(connection, sql`b.tenant_id in (select id from tenants) and b.id = ${id}`, actor)
}

/** The same for every booking under an e-mail address, however it is spelled. */
export function eraseByEmail(connection: OrmConnection, email: string, actor: string) {
  return erase(
    connection,
    sql`${sql.raw(folded('b.customer_email'))} = lower(${email.normalize()})`,
    actor,
  )
}

/**
 * One statement: the bookings are emptied, what staff noted about them too, and it is recorded who
 * did it. The status stays, so the record's move leads from it to itself.
 */
async function erase({ orm }: OrmConnection, which: SQL, actor: string) {
  const { rows } = await orm.execute<{ tenantId: string; id: string }>(sql`
    with erased as (
      update bookings b set customer_first_name = null, customer_last_name = null,
        customer_email = null, customer_phone = null, pickup_location = null,
        dropoff_location = null, notes = null, erased_at = now()
      where ${which} and b.erased_at is null
      returning b.tenant_id, b.id, b.status
    ), reasons as (
      update booking_events e set reason = null from erased b
      where e.tenant_id = b.tenant_id and e.booking_id = b.id
    )
    insert into booking_events
      (tenant_id, booking_id, from_status, to_status, actor, reason, created_at)
    select tenant_id, id, status, status, ${actor}, 'customer erased', clock_timestamp() from erased
    returning tenant_id as "tenantId", booking_id as id`)
  return rows
}
