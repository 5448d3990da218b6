import { LRUCache } from 'lru-cache'
import type { Occupancy, RentalCount } from '../../../domain/occupancy.ts'
import { dayMs } from '../../../domain/units.ts'
import type { Database, StatementRunner } from '../../connection/database.ts'
import { runNamed } from '../../connection/statement.ts'
import { groupOfWindow, windowCount, windowCounts } from './groupCounts.ts'

/** The vehicles of a group and its bookings in the window of a rental. */
interface GroupCount extends RentalCount {
  readonly total: number
  /** The bookings that were read. */
  readonly bookingCount: number
  /** The periods in which a rental of an hour or more finds no vehicle, if the whole is not free. */
  readonly soldOut: readonly Period[]
}

interface Period {
  readonly from: Date
  readonly to: Date
}

/** Counts for a rental of tenant $1 in one group. The arguments are SQL expressions. */
const countsOf = (groupId: string, from: string, to: string, confirmedOnly: string) => `
with windows as (
  select ${groupOfWindow}, ${from} as starts_at,
    ${to} + make_interval(mins => g.turnaround_minutes) as ends_at,
    ${confirmedOnly} as confirmed_only
  from asset_groups g
  where g.tenant_id = $1 and g.id = ${groupId} and (${confirmedOnly} or g.archived_at is null)
),
${windowCount}
select * from counts`

interface CountRow extends Omit<GroupCount, 'soldOut'> {
  readonly soldOutFrom: readonly Date[]
  readonly soldOutTo: readonly Date[]
}

const countOfRental = countsOf('$2', '$3::timestamptz', '$4::timestamptz', '$5::boolean')

/** The period of a rental, without turnaround, which `countAvailability` adds. */
interface RentalWindow extends Period {
  readonly confirmedOnly?: boolean
}

/**
 * Counts a group's vehicles and bookings for a rental. Returns undefined for an unknown group, and
 * for an archived group unless `confirmedOnly`.
 */
export async function countAvailability(
  database: StatementRunner,
  tenantId: string,
  groupId: string,
  { from, to, confirmedOnly = false }: RentalWindow,
): Promise<GroupCount | undefined> {
  const values = [tenantId, groupId, from, to, confirmedOnly]
  const [row] = await runNamed<CountRow>(database, 'count_rental', countOfRental, values)
  if (row === undefined) return undefined
  const { soldOutFrom, soldOutTo, ...counts } = row
  const soldOut = soldOutFrom.map((from, index) => ({ from, to: soldOutTo[index] ?? from }))
  return { ...counts, soldOut }
}

/** A month of a calendar. */
const shortRangeDays = 32
/** So many bookings are counted in about a millisecond. */
const shortCountBookings = 500
const groupsMax = 10_000

export type RentalCounter = ReturnType<typeof rentalCounter>

/**
 * Returns `countAvailability` for requests. A count that may take long runs in the share of the key:
 * one of a long range, or of a group that is not known to have few bookings in a short range.
 */
export function rentalCounter(database: Database) {
  const busy = new LRUCache<string, boolean>({ max: groupsMax })
  return async (keyId: string, tenantId: string, groupId: string, range: Period) => {
    const isShort = range.to.getTime() - range.from.getTime() <= shortRangeDays * dayMs
    const count = (runner: StatementRunner) => countAvailability(runner, tenantId, groupId, range)
    const counted = await (isShort && busy.get(groupId) === false
      ? count(database.reads)
      : database.shares(keyId, () => count(database)))
    if (counted && isShort && busy.get(groupId) !== true)
      busy.set(groupId, counted.bookingCount > shortCountBookings)
    return counted
  }
}

const occupancyOfPeriods = `
with windows as (
  select n::int, ${groupOfWindow}, starts_at, ends_at, confirmed_only
  from unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[])
    with ordinality as period(group_id, starts_at, ends_at, n)
  join asset_groups g on g.tenant_id = $1 and g.id = group_id
  cross join (values (true), (false)) counted(confirmed_only)
),
${windowCounts('b.id is distinct from $5')}
select min("inService") as "inService", max(peak) filter (where confirmed_only) as confirmed,
  max(peak) filter (where not confirmed_only) as held
from counts group by n order by n`

/** A half-open period of a group. For a rental, `to` includes the turnaround. */
export interface GroupPeriod extends Period {
  readonly groupId: string
}

/**
 * Counts vehicles and bookings in periods of a tenant's groups, archived or not. Leaves out the
 * booking `exceptBookingId`.
 */
export async function countOccupancy(
  { pool }: Pick<StatementRunner, 'pool'>,
  tenantId: string,
  periods: readonly GroupPeriod[],
  exceptBookingId: string | null = null,
): Promise<Occupancy[]> {
  const groupIds = periods.map(({ groupId }) => groupId)
  const [starts, ends] = [periods.map(({ from }) => from), periods.map(({ to }) => to)]
  const values = [tenantId, groupIds, starts, ends, exceptBookingId]
  const { rows } = await pool.query<Occupancy>({ text: occupancyOfPeriods, values })
  return rows
}

/**
 * Skips rentals that leave more vehicles than have a block near the bookings that a rental can meet,
 * which saves most counts.
 */
const shortNeighbours = `
with longest as (
  select max(b.dropoff_at - b.pickup_at + make_interval(mins => g.turnaround_minutes)) as length
  from bookings b join asset_groups g on g.tenant_id = $1 and g.id = b.asset_group_id
  where b.tenant_id = $1 and b.status = 'confirmed'
)
select id
from unnest($2::uuid[], $3::uuid[], $4::timestamptz[], $5::timestamptz[], $6::int[])
  as rental(id, group_id, pickup_at, dropoff_at, vehicles_left)
cross join lateral (${countsOf('rental.group_id', 'rental.pickup_at', 'rental.dropoff_at', 'true')}
) counted
where "shortPickup" is not null and vehicles_left <= (
  select count(distinct k.asset_id)
  from assets a join asset_blocks k on k.tenant_id = $1 and k.asset_id = a.id
  where a.tenant_id = $1 and a.asset_group_id = rental.group_id and k.archived_at is null
    and k.ends_at > rental.pickup_at - (select length from longest)
    and k.starts_at < rental.dropoff_at + 2 * (select length from longest))`

/** A pending booking, and how many vehicles the confirmed bookings leave for it. */
interface PendingRental {
  readonly id: string
  readonly groupId: string
  readonly pickupAt: Date
  readonly dropoffAt: Date
  readonly vehiclesLeft: number
}

/**
 * Returns the ids of the bookings for which `countAvailability` with `confirmedOnly` returns a
 * `shortPickup`.
 */
export async function findShortNeighbours(
  { pool }: Pick<StatementRunner, 'pool'>,
  tenantId: string,
  rentals: readonly PendingRental[],
): Promise<ReadonlySet<string>> {
  if (rentals.length === 0) return new Set()
  const columns = (['id', 'groupId', 'pickupAt', 'dropoffAt', 'vehiclesLeft'] as const).map(
    (name) => rentals.map((rental) => rental[name]),
  )
  const { rows } = await pool.query<{ id: string }>({
    text: shortNeighbours,
    values: [tenantId, ...columns],
  })
  return new Set(rows.map(({ id }) => id))
}
