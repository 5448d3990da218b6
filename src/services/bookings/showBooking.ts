import type { Database } from '../../db/connection/database.ts'
import type { RowKey } from '../../db/connection/statement.ts'
import { countAvailability, countOccupancy } from '../../db/queries/bookings/availability.ts'
import { findBookingEvents, findBookingPage } from '../../db/queries/bookings/findBookingPage.ts'
import { channelOf, isFinal } from '../../domain/bookingRules.ts'
import { closedProblem } from '../../domain/closedProblem.ts'
import { formatMoney } from '../../domain/money.ts'
import { availableCount, availableFrom, groupDays } from '../../domain/occupancy.ts'
import { dayNumber, formatDate, rentalLength, startOfDay } from '../../domain/pricing/period.ts'
import { renameBreakdown } from '../../domain/pricing/priceRental.ts'
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
  const { totalMinor, pricedZone, pricedEntries, sessionId, details, breakdown, hours, ...page } =
    row
  const ownNames = new Map(pricedEntries.map((entry) => [entry.id, entry]))
  const { pickupDatetime: pickupAt, dropoffDatetime: dropoffAt } = page
  return {
    ...page,
    ...details,
    // Quotes may be in the customer's language; staff read their own.
    breakdown: renameBreakdown(breakdown, ownNames),
    channel: channelOf(sessionId),
    length: rentalLength({ pickupAt, dropoffAt, timeZone: pricedZone }),
    total: formatMoney(totalMinor, page.currency),
    closed: {
      pickup: closedProblem(hours, pickupAt, page.timezone) ?? null,
      dropoff: closedProblem(hours, dropoffAt, page.timezone) ?? null,
    },
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
  const availableAt = availableFrom(dropoffAt, assetGroup.turnaroundMinutes)
  if (isFinal(status) || availableAt <= now) return null
  const firstDay = dayNumber(pickupAt, timeZone)
  const breaks = [firstDay, dayNumber(dropoffAt, timeZone) + 1]
  const fromDay = firstDay - daysAround
  const toDay = dayNumber(new Date(availableAt.getTime() - 1), timeZone) + daysAround
  const groupId = assetGroup.id
  const ofDays = Array.from({ length: toDay - fromDay + 1 }, (_, index) => {
    const [from, to] = [fromDay + index, fromDay + index + 1]
    return { groupId, from: startOfDay(from, timeZone), to: startOfDay(to, timeZone) }
  })
  const periods = [{ groupId, from: pickupAt, to: availableAt }].concat(ofDays)
  const [during, ...byDay] = await countOccupancy(database, tenant.id, periods, id)
  if (during === undefined) throw new Error('Bug: a booking has no group')
  const { inService, confirmed, held } = during
  const rental = { from: pickupAt, to: dropoffAt, confirmedOnly: true }
  const counted = await countAvailability(database, tenant.id, groupId, rental)
  const isRefused = counted !== undefined && availableCount(counted) === 0
  const days = groupDays(byDay, fromDay, breaks)
  return {
    inService,
    confirmed,
    held,
    short: status === 'pending' ? isRefused : inService <= confirmed,
    contested: inService <= held,
    days: days.map(({ fromDay, toDay, ...counts }) => {
      return { from: formatDate(fromDay), to: formatDate(toDay), ...counts }
    }),
  }
}
