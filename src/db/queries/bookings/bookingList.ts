import type { BookingStatus, Channel } from '../../../domain/bookingRules.ts'
import { foldForSearch } from '../../../domain/foldText.ts'
import { isSamePhone, joinNumbers, normalizePhone, phoneDigits } from '../../../domain/phone.ts'
import type { StatementRunner } from '../../connection/database.ts'
import type { bookings } from '../../schema/index.ts'
import { type BookingText, findByText } from './bookingText.ts'
import { type ShownDetails, searchedColumns, shownDetails } from './detailColumns.ts'
import { holds, isOpen } from './groupCounts.ts'

/** The filters of a booking list. Undefined filters do not apply. */
export interface BookingFilter {
  readonly status: BookingStatus | 'open' | 'all'
  /** Whether bounds and order are those of the drop-off instead of the pickup. */
  readonly returns?: boolean | undefined
  /** Bounds of the time; `to` is exclusive. */
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly apiKeyId?: string | undefined
  readonly channel?: Channel | undefined
  /** Words that must all occur in the data of the customer or the booking. */
  readonly words?: readonly string[] | undefined
  readonly limit?: number | undefined
  /** Only bookings of the group `groupId` that take a vehicle after the instant `after`. */
  readonly group?: { readonly groupId: string; readonly after: Date } | undefined
}

export interface ShownBooking
  extends Pick<
      typeof bookings.$inferSelect,
      'id' | 'status' | 'apiKeyId' | 'pickupAt' | 'dropoffAt' | 'currency' | 'createdAt'
    >,
    Readonly<Record<'groupId' | 'groupRef' | 'groupName' | 'totalMinor' | 'apiKeyName', string>> {
  readonly sessionId: string | null
  readonly details: ShownDetails
}

interface BookingRow extends ShownBooking {
  readonly turnaroundMinutes: number
  /** The time zone that was used for pricing; the tenant's zone may have changed since. */
  readonly pricedZone: string
  readonly holds: boolean
  /** The number of matching bookings, ignoring the limit. */
  readonly matching: number
}

/** All text of booking `b` of group `g` that staff can search. */
const searchedText = `concat_ws(' ', b.id, g.name, ${searchedColumns.map((name) => `b.${name}`).join(', ')})`

/** Returns a condition that every word occurs in a booking: as written, by its digits, or as a phone number. */
function containsAll(words: readonly string[]) {
  const wanted = joinNumbers(words).map((word) => {
    const number = normalizePhone(word)
    const forms = [foldForSearch(word), phoneDigits(number)].filter((form) => form !== '')
    return { forms, number }
  })
  return ({ text, phone }: BookingText) => {
    const searched = `${foldForSearch(text)} ${phoneDigits(phone ?? '')}`
    return wanted.every(
      ({ forms, number }) =>
        forms.some((form) => searched.includes(form)) || isSamePhone(number, phone ?? ''),
    )
  }
}

const sessionOf = '(select q.session_id from quotes q where q.tenant_id = $1 and q.id = b.quote_id)'

/** The select list for a `ShownBooking` of booking `b` and group `g` of the tenant `$1`. */
export const bookingColumns = `
  b.id, b.status, b.api_key_id as "apiKeyId", ${sessionOf} as "sessionId",
  (select k.name from api_keys k where k.tenant_id = $1 and k.id = b.api_key_id) as "apiKeyName",
  ${shownDetails('b')} as details, g.id as "groupId", g.ref as "groupRef", g.name as "groupName",
  b.pickup_at as "pickupAt", b.dropoff_at as "dropoffAt", b.total_minor as "totalMinor",
  b.currency, b.created_at as "createdAt"`

const listedTime = 'case when $10 then b.dropoff_at else b.pickup_at end'

/** The bookings of a filter, without its words and its limit. */
const filteredBookings = `
from bookings b
join asset_groups g on g.tenant_id = $1 and g.id = b.asset_group_id
where b.tenant_id = $1
  and case $3
    when 'open' then ${isOpen('$2')}
    when 'all' then true else b.status = $3 end
  and ($4::timestamptz is null or ${listedTime} >= $4)
  and ($5::timestamptz is null or ${listedTime} < $5)
  and ($6::uuid is null or b.api_key_id = $6)
  and ($7::text is null or (${sessionOf} is null) = ($7 = 'server'))
  and ($8::uuid is null or b.asset_group_id = $8
    and b.dropoff_at > $9::timestamptz - make_interval(mins => g.turnaround_minutes))`

/**
 * Selects the IDs of the bookings within the limit, and the number of all matches. Full rows are
 * then read by an array of IDs: with outdated statistics, a join would read all bookings for each
 * ID.
 */
const matchingBookings = `
select b.id, count(*) over ()::int as matching
${filteredBookings}
  and ($11::uuid[] is null or b.id = any($11))
order by ${listedTime}, b.id
limit $12`

const listedBookings = `
with matching as (${matchingBookings}
)
select ${bookingColumns}, g.turnaround_minutes as "turnaroundMinutes", ${holds} as holds,
  (select m.matching from matching m limit 1) as matching,
  (select q.inputs->>'timeZone' from quotes q
    where q.tenant_id = $1 and q.id = b.quote_id) as "pricedZone"
from bookings b
join asset_groups g on g.tenant_id = $1 and g.id = b.asset_group_id
where b.tenant_id = $1 and b.id = any(array(select m.id from matching m))
order by ${listedTime}, b.id`

export async function findBookingsOfTenant(
  database: Pick<StatementRunner, 'pool'>,
  tenantId: string,
  { status, from, to, words = [], apiKeyId, channel, limit, group, returns = false }: BookingFilter,
  now: Date,
) {
  const { groupId, after } = group ?? {}
  const filter = [tenantId, now, status, from, to, apiKeyId, channel, groupId, after, returns]
  const ids =
    words.length === 0
      ? undefined
      : await findByText(database, searchedText, filteredBookings, filter, containsAll(words))
  const values = [...filter, ids, limit]
  return (await database.pool.query<BookingRow>({ text: listedBookings, values })).rows
}
