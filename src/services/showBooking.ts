import {
  type BookingPageRow,
  findBookingEvents,
  findBookingPage,
  findStockAround,
} from '../db/bookingPage.ts'
import type { Database } from '../db/client.ts'
import type { RowKey } from '../db/statement.ts'
import { isSettled } from '../domain/bookings.ts'
import { freeAgainMs, groupDays, loadOf } from '../domain/groupLoad.ts'
import { formatMoney } from '../domain/money.ts'
import { dayNumber, rentalLength, writeDate } from '../domain/period.ts'
import { dayMs } from '../domain/units.ts'
import { instantMs } from '../domain/zone.ts'
import { unknownId } from './refusal.ts'

const daysAround = 2

export type BookingPage = Awaited<ReturnType<typeof showBooking>>

/**
 * One booking: its customer, its price, the vehicles around it and what was done with it.
 * @throws Refusal when there is none
 */
export async function showBooking(database: Database, key: RowKey, now: Date) {
  const [row, history] = await Promise.all([
    findBookingPage(database, key),
    findBookingEvents(database, key),
  ])
  if (row === undefined) throw unknownId('booking', key.id)
  const { booking, tenant, group, apiKey, breakdown, pricedZone } = row
  const { pickupAt, dropoffAt } = booking
  return {
    id: booking.id,
    status: booking.status,
    tenant: { id: key.tenantId, slug: tenant.slug, name: tenant.name },
    timezone: tenant.timeZone,
    createdAt: booking.createdAt,
    erasedAt: booking.erasedAt,
    customer: {
      firstName: booking.customerFirstName,
      lastName: booking.customerLastName,
      email: booking.customerEmail,
      phone: booking.customerPhone,
    },
    pickupDatetime: pickupAt,
    pickupLocation: booking.pickupLocation,
    dropoffDatetime: dropoffAt,
    dropoffLocation: booking.dropoffLocation,
    length: rentalLength({ pickupAt, dropoffAt, timeZone: pricedZone }),
    assetGroup: group,
    notes: booking.notes,
    quoteId: booking.quoteId,
    breakdown,
    total: formatMoney(booking.totalMinor, booking.currency),
    currency: booking.currency,
    apiKey,
    vehicles: await vehiclesFor(database, row, now),
    history,
  }
}

/** What the others leave for a booking, and how its group stands by day; null once it is settled. */
async function vehiclesFor(
  database: Database,
  { booking, tenant, group }: BookingPageRow,
  now: Date,
) {
  const { timeZone } = tenant
  const fromMs = booking.pickupAt.getTime()
  const toMs = freeAgainMs(booking.dropoffAt.getTime(), group.turnaroundMinutes)
  if (isSettled(booking.status) || toMs <= now.getTime()) return null
  const firstDay = dayNumber(booking.pickupAt, timeZone)
  const breaks = [firstDay, dayNumber(booking.dropoffAt, timeZone) + 1]
  const fromDay = firstDay - daysAround
  const toDay = dayNumber(new Date(toMs - 1), timeZone) + daysAround
  const stock = await findStockAround(database, booking, {
    assetGroupId: group.id,
    from: new Date(instantMs(fromDay * dayMs, timeZone)),
    to: new Date(instantMs((toDay + 1) * dayMs, timeZone)),
  })
  const load = loadOf(stock)
  const { inService, confirmed, held } = load(fromMs, toMs)
  const days = groupDays(load, { fromDay, toDay }, timeZone, breaks)
  return {
    inService,
    confirmed,
    held,
    short: inService <= confirmed,
    contested: inService <= held,
    days: days.map(({ fromDay, toDay, ...counts }) => {
      return { from: writeDate(fromDay), to: writeDate(toDay), ...counts }
    }),
  }
}
