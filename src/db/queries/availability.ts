import { availableFromMs, inServiceOf, peakOf, timelineOf } from '../../domain/occupancy.ts'
import type { StatementRunner } from '../connection/database.ts'
import { runNamed } from '../connection/statement.ts'
import { type StoredStock, stockOf } from './groupStock.ts'

const stockOfGroup = `
with spans as (
  select $2::uuid as asset_group_id, $3::timestamptz as starts_at, $4::timestamptz as ends_at
)
${stockOf('$5')}`

interface StockQuery {
  readonly tenantId: string
  readonly groupId: string
  readonly from: Date
  readonly to: Date
  /** A booking that is left out. */
  readonly exceptBookingId?: string | null
}

/**
 * Returns what takes a group's vehicles in [from, to + turnaround), and whether the group is
 * archived; undefined for an unknown group.
 */
export async function findGroupStock(
  database: StatementRunner,
  { tenantId, groupId, from, to, exceptBookingId = null }: StockQuery,
): Promise<StoredStock | undefined> {
  const values = [tenantId, groupId, from, to, exceptBookingId]
  type Row = { readonly stock: StoredStock }
  const [row] = await runNamed<Row>(database, 'group_stock', stockOfGroup, values)
  return row?.stock
}

/** Vehicles of a group over a window; `peak`: the most bookings at any moment of it. */
type GroupCount = Readonly<Record<'total' | 'inService' | 'peak', number>>

/** A rental by its own times: the turnaround is added when it is counted, and nowhere else. */
interface RentalWindow {
  readonly from: Date
  /** Null counts the moment `from` alone, without turnaround. */
  readonly to: Date | null
  readonly confirmedOnly?: boolean
}

/**
 * Counts a group for a rental, the same for the endpoint and for `bookings confirm`. Returns
 * undefined for an unknown group, and for an archived one unless `confirmedOnly`.
 */
export async function countAvailability(
  database: StatementRunner,
  tenantId: string,
  groupId: string,
  { from, to, confirmedOnly = false }: RentalWindow,
): Promise<GroupCount | undefined> {
  const fromMs = from.getTime()
  const momentEnd = new Date(fromMs + 1)
  const stock = await findGroupStock(database, { tenantId, groupId, from, to: to ?? momentEnd })
  if (stock === undefined || (stock.archived && !confirmedOnly)) return undefined
  const { vehicles, turnaroundMinutes, confirmed, pending } = stock
  const toMs = to === null ? momentEnd.getTime() : availableFromMs(to.getTime(), turnaroundMinutes)
  const counting = confirmedOnly ? [confirmed] : [confirmed, pending]
  return {
    total: vehicles,
    inService: inServiceOf(stock, fromMs, toMs),
    peak: peakOf(timelineOf(turnaroundMinutes, counting), fromMs, toMs),
  }
}
