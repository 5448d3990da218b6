import type { Database } from '../../db/connection/database.ts'
import type { RowKey } from '../../db/connection/statement.ts'
import { findBookingEvents, findBookingPage } from '../../db/operatorQueries/bookingPage.ts'
import { findGroupStock } from '../../db/queries/availability.ts'
import { channelOf, isFinal } from '../../domain/bookings.ts'
import { formatMoney } from '../../domain/money.ts'
import { availableFromMs, groupDays, occupancyOf } from '../../domain/occupancy.ts'
import { dayNumber, formatDate, rentalLength, startOfDay } from '../../domain/pricing/period.ts'
import { unknownId } from '../operatorError.ts'

const daysAround = 2

type PageRow = NonNullable<Awaited<ReturnType<typeof findBookingPage>>>

export type BookingPage = Awaited<ReturnType<typeof showBooking>>

/**
 * Returns a booking with its customer, price, vehicle counts and history.
 * @throws OperatorError for an unknown booking
 */
export async function showBooking(database: Database, key: RowKey, now: Date) {
  const [row, history] = await Promise.all([
    findBookingPage(database, key),
    findBookingEvents(database, key),
  ])
  if (row === undefined) throw unknownId('booking', key.id)
  const { totalMinor, pricedZone, sessionId, ...page } = row
  const { pickupDatetime: pickupAt, dropoffDatetime: dropoffAt } = page
  return {
    ...page,
    channel: channelOf(sessionId),
    length: rentalLength({ pickupAt, dropoffAt, timeZone: pricedZone }),
    total: formatMoney(totalMinor, page.currency),
    vehicles: await vehicleCounts(database, row, now),
    history,
  }
}

/** Counts the group's vehicles without this booking, in total and by day. Null if final or past. */
async function vehicleCounts(
  database: Database,
  { id, status, tenant, timezone: timeZone, assetGroup, ...times }: PageRow,
  now: Date,
) {
  const { pickupDatetime: pickupAt, dropoffDatetime: dropoffAt } = times
  const toMs = availableFromMs(dropoffAt.getTime(), assetGroup.turnaroundMinutes)
  if (isFinal(status) || toMs <= now.getTime()) return null
  const firstDay = dayNumber(pickupAt, timeZone)
  const breaks = [firstDay, dayNumber(dropoffAt, timeZone) + 1]
  const fromDay = firstDay - daysAround
  const toDay = dayNumber(new Date(toMs - 1), timeZone) + daysAround
  const stock = await findGroupStock(database, {
    tenantId: tenant.id,
    groupId: assetGroup.id,
    from: startOfDay(fromDay, timeZone),
    to: startOfDay(toDay + 1, timeZone),
    exceptBookingId: id,
  })
  if (stock === undefined) throw new Error('Bug: a booking has no group')
  const load = occupancyOf(stock)
  const { inService, confirmed, held } = load(pickupAt.getTime(), toMs)
  const days = groupDays(load, { fromDay, toDay }, timeZone, breaks)
  return {
    inService,
    confirmed,
    held,
    short: inService <= confirmed,
    contested: inService <= held,
    days: days.map(({ fromDay, toDay, ...counts }) => {
      return { from: formatDate(fromDay), to: formatDate(toDay), ...counts }
    }),
  }
}
