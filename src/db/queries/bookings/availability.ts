import type { Occupancy, RentalCount } from '../../../domain/occupancy.ts'
import type { StatementRunner } from '../../connection/database.ts'
import { runNamed } from '../../connection/statement.ts'
import { groupOfWindow, windowCount, windowCounts } from './groupCounts.ts'

/** The vehicles of a group and its bookings in the window of a rental. */
interface GroupCount extends RentalCount {
  readonly total: number
}

const countOfRental = `
with windows as (
  select ${groupOfWindow}, $3::timestamptz as starts_at,
    $4::timestamptz + make_interval(mins => g.turnaround_minutes) as ends_at,
    $5::boolean as confirmed_only
  from asset_groups g
  where g.tenant_id = $1 and g.id = $2 and ($5 or g.archived_at is null)
),
${windowCount}
select total, "inService", peak, "shortPickup" from counts`

/** The period of a rental, without turnaround, which `countAvailability` adds. */
interface RentalWindow {
  readonly from: Date
  readonly to: Date
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
  const [row] = await runNamed<GroupCount>(database, 'count_rental', countOfRental, values)
  return row
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
export interface GroupPeriod {
  readonly groupId: string
  readonly from: Date
  readonly to: Date
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
