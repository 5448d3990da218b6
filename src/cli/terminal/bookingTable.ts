import { shortId } from '../../domain/ids.ts'
import type { ListedBooking, listBookings } from '../../services/bookings/listBookings.ts'
import { sanitizeLine } from './cell.ts'
import { age, shortLength, shortTime } from './dates.ts'
import { table } from './table.ts'

/** Returns a customer's full name, or `(erased)`. */
export function fullName({ firstName, lastName }: ListedBooking['customer']): string {
  return [firstName, lastName].join(' ').trim() || '(erased)'
}

const explanations = {
  yes: 'yes: confirmed bookings leave no vehicle for it; confirmed itself, it overbooks',
  maybe: 'maybe: it can be confirmed, but not all pending bookings can be',
}

type Listed = Pick<Awaited<ReturnType<typeof listBookings>>, 'bookings' | 'tenant'> & {
  readonly returns?: boolean | undefined
}

/** Narrower tables, and those written to a file or a pipe, do not show the key and the channel. */
const keyWidthMin = 110

/**
 * Formats bookings as a table of 80 columns or more, with times in the tenant's zone. '' for no
 * bookings.
 */
export function bookingTable({ bookings, tenant, returns }: Listed, now: Date, width?: number) {
  const isWide = width !== undefined && width >= keyWidthMin
  const [first] = bookings
  if (first === undefined) return ''
  const oneCurrency = new Set(bookings.map(({ currency }) => currency)).size === 1
  const shorts = new Set(bookings.map(shortOf))
  const explained = Object.entries(explanations).filter(([word]) => shorts.has(word))
  const rows: Record<string, string>[] = bookings.map((booking) => ({
    ID: shortId(booking.id),
    STATUS:
      booking.status === 'pending' ? `pending ${age(booking.createdAt, now)}` : booking.status,
    ...(returns
      ? { 'DROP-OFF': shortTime(booking.dropoffDatetime, booking.timezone, now) }
      : { PICKUP: shortTime(booking.pickupDatetime, booking.timezone, now) }),
    LENGTH: shortLength(booking.length),
    GROUP: booking.assetGroup.name,
    CUSTOMER: fullName(booking.customer),
    TOTAL: oneCurrency ? booking.total : `${booking.total} ${booking.currency}`,
    ...(explained.length > 0 && { 'SHORT?': shortOf(booking) }),
    ...(isWide && { KEY: `${booking.apiKey.name} (${booking.channel})` }),
  }))
  const fixed = ['ID', 'STATUS', 'PICKUP', 'DROP-OFF', 'LENGTH', 'TOTAL', 'SHORT?']
  const totals = oneCurrency ? `, totals in ${first.currency}` : ''
  return [
    `${sanitizeLine(tenant.name)}: times in ${tenant.timeZone}${totals}\n`,
    table(rows, { fixed, right: ['TOTAL'], gap: 1 }, width),
    ...explained.map(([, text]) => `${text}\n`),
  ].join('')
}

function shortOf({ status, short, contested }: ListedBooking): string {
  if (short === true) return 'yes'
  return status === 'pending' && contested === true ? 'maybe' : ''
}
