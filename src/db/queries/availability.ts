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
  /** A booking to leave out. */
  readonly exceptBookingId?: string | null
}

/**
 * Returns the vehicles of a group, with the bookings and blocks that overlap [from, to +
 * turnaround). Returns undefined for an unknown group.
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

/** The vehicles of a group in a period; `peak` is the most simultaneous bookings. */
type GroupCount = Readonly<Record<'total' | 'inService' | 'peak', number>>

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
  const stock = await findGroupStock(database, { tenantId, groupId, from, to })
  if (stock === undefined || (stock.archived && !confirmedOnly)) return undefined
  const { vehicles, turnaroundMinutes, confirmed, pending } = stock
  const fromMs = from.getTime()
  const toMs = availableFromMs(to.getTime(), turnaroundMinutes)
  const counting = confirmedOnly ? [confirmed] : [confirmed, pending]
  return {
    total: vehicles,
    inService: inServiceOf(stock, fromMs, toMs),
    peak: peakOf(timelineOf(turnaroundMinutes, counting), fromMs, toMs),
  }
}
