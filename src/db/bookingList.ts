import type { BookingStatus } from '../domain/bookings.ts'
import type { Database, StatementRunner } from './client.ts'
import { folded, spellingsOf } from './folded.ts'
import { holds, isOpen, type StoredStock, stockOf } from './groupStock.ts'
import type { bookings } from './schema.ts'

/** Which of a tenant's bookings; what is undefined leaves none out. */
export interface BookingFilter {
  readonly status: BookingStatus | 'open' | 'all'
  /** Bounds of the pickup; `to` is excluded. */
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  /** Every one of these occurs in what is known of the customer and the booking. */
  readonly words?: readonly string[] | undefined
  readonly madeBefore?: Date | undefined
  readonly limit?: number | undefined
}

/** What is shown of a booking wherever there are several. */
export interface ShownBooking
  extends Pick<
      typeof bookings.$inferSelect,
      'id' | 'status' | 'apiKeyId' | 'pickupAt' | 'dropoffAt' | 'currency' | 'createdAt'
    >,
    Readonly<Record<'firstName' | 'lastName' | 'email' | 'phone', string | null>>,
    Readonly<Record<'groupId' | 'groupRef' | 'groupName' | 'totalMinor', string>> {}

interface BookingRow extends ShownBooking {
  readonly turnaroundMinutes: number
  /** The zone in which the price was reckoned; the tenant's may be another by now. */
  readonly pricedZone: string
  /** Whether it is among what takes the group's vehicles. */
  readonly holds: boolean
  /** How many bookings match in all, whatever the limit. */
  readonly matching: number
  /** With the first row only. */
  readonly stock: readonly StoredStock[] | null
}

/** Whether every word occurs, in any of its spellings, in what is known of booking `b` of group `g`. */
const wordsMatch = (words: string) => `(cardinality(${words}::text[]) = 0 or (
  select bool_and((select bool_or(strpos(${folded('known')}, ${folded('spelling')}) > 0)
    from unnest(string_to_array(word, ' ')) spelling))
  from (select concat_ws(' ', b.id, b.customer_first_name, b.customer_last_name, b.customer_email,
    b.customer_phone, regexp_replace(b.customer_phone, '[^0-9]', '', 'g'), g.name, b.pickup_location,
    b.dropoff_location, b.notes) as known) texts, unnest(${words}::text[]) word))`

/** What `wordsMatch` takes: each word's spellings; a phone number's digits are one (decision 315). */
const spelled = (words: readonly string[]) =>
  words.map((word) => {
    const digits = /^[-+()./\d]*\d[-+()./\d]*$/.test(word) ? [word.replace(/\D/g, '')] : []
    return [...spellingsOf(word), ...digits].join(' ')
  })

/** What is shown of booking `b` of group `g`. */
export const bookingColumns = `
  b.id, b.status, b.api_key_id as "apiKeyId",
  b.customer_first_name as "firstName", b.customer_last_name as "lastName",
  b.customer_email as email, b.customer_phone as phone, g.id as "groupId", g.ref as "groupRef",
  g.name as "groupName", b.pickup_at as "pickupAt", b.dropoff_at as "dropoffAt",
  b.total_minor as "totalMinor", b.currency, b.created_at as "createdAt"`

const matchingBookings = `
select ${bookingColumns}, g.turnaround_minutes as "turnaroundMinutes", b.quote_id as "quoteId",
  ${holds} as holds,
  count(*) over ()::int as matching
from bookings b
join asset_groups g on g.tenant_id = $1 and g.id = b.asset_group_id
where b.tenant_id = $1
  and case $3
    when 'open' then ${isOpen('$2')}
    when 'all' then true else b.status = $3 end
  and ($4::timestamptz is null or b.pickup_at >= $4)
  and ($5::timestamptz is null or b.pickup_at < $5)
  and ($6::timestamptz is null or b.created_at < $6)
  and ${wordsMatch('$7')}
order by b.pickup_at, b.id
limit $8`

/** One statement, whatever the number: the stock of all groups comes with the first row. */
const listWithStock = `
with listed as (${matchingBookings}
), spans as (
  select "groupId" as asset_group_id, min("pickupAt") as starts_at, max("dropoffAt") as ends_at
  from listed where status in ('pending', 'confirmed') group by "groupId"
), stock as (${stockOf('null')})
select l.*, (select q.inputs->>'timeZone' from quotes q
    where q.tenant_id = $1 and q.id = l."quoteId") as "pricedZone",
  case row_number() over first when 1 then (select * from stock) end as stock
from listed l window first as (order by l."pickupAt", l.id) order by l."pickupAt", l.id`

/** A tenant's bookings by pickup, and the stock of their groups that are not settled. */
export async function findBookingsOfTenant(
  { pool }: Pick<StatementRunner, 'pool'>,
  tenantId: string,
  { status, from, to, words = [], madeBefore, limit }: BookingFilter,
  now: Date,
) {
  const values = [tenantId, now, status, from, to, madeBefore, spelled(words), limit]
  const { rows } = await pool.query<BookingRow>({ text: listWithStock, values })
  return { rows, stock: rows[0]?.stock ?? [] }
}

const pendingIds = `
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
  const { rows } = await pool.query<{ id: string }>(pendingIds, [tenantId, spelled(words)])
  return rows.map(({ id }) => id)
}
