import { and, desc, eq, gt, isNotNull, sql } from 'drizzle-orm'
import { wordsMatch } from './bookingList.ts'
import type { Database, OrmConnection } from './client.ts'
import { bookingEvents } from './schema.ts'

const queue = `
select b.id from bookings b
join asset_groups g on g.tenant_id = $1 and g.id = b.asset_group_id
where b.tenant_id = $1 and b.status = 'pending' and ${wordsMatch('$2')}
order by b.pickup_at, b.id`

/** The ids of a tenant's pending bookings in which every word occurs, the soonest pickup first. */
export async function findPendingIds(
  { pool }: Pick<Database, 'pool'>,
  tenantId: string,
  words: readonly string[],
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(queue, [tenantId, words])
  return rows.map(({ id }) => id)
}

/** Why bookings of a tenant were rejected in the last 90 days, the latest reason first. */
export async function findRecentReasons(
  { orm }: OrmConnection,
  tenantId: string,
  limit: number,
): Promise<string[]> {
  const rows = await orm
    .select({ reason: bookingEvents.reason })
    .from(bookingEvents)
    .where(
      and(
        eq(bookingEvents.tenantId, tenantId),
        eq(bookingEvents.toStatus, 'rejected'),
        isNotNull(bookingEvents.reason),
        gt(bookingEvents.createdAt, sql`now() - interval '90 days'`),
      ),
    )
    .groupBy(bookingEvents.reason)
    .orderBy(desc(sql`max(${bookingEvents.createdAt})`))
    .limit(limit)
  return rows.flatMap(({ reason }) => reason ?? [])
}
