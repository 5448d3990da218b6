import { bookingStatuses } from '../domain/bookings.ts'
import { type ListedBooking, listBookings } from '../services/listBookings.ts'
import type { Command } from './command.ts'
import { table } from './table.ts'

export const bookingsListCommand: Command = {
  name: 'bookings list',
  summary: "A tenant's bookings by pickup, and whether the group is short then.",
  args: [],
  options: [
    { name: 'tenant', value: 'SLUG', required: true, summary: 'whose bookings' },
    { name: 'status', value: bookingStatuses.join('|'), summary: 'only these' },
  ],
  examples: ['rental bookings list --tenant fjord-cars --status pending'],
  async run({ options, io, withDatabase }) {
    const slug = options.required('tenant')
    const status = options.choice('status', bookingStatuses)
    const bookings = await withDatabase((database) => listBookings(database, slug, status))
    const text = bookings.length === 0 ? 'No bookings.\n' : bookingTable(bookings, io.columns)
    return { json: bookings, text }
  },
}

function bookingTable(bookings: readonly ListedBooking[], width: number | undefined): string {
  const rows = bookings.map(({ customer, short, ...booking }) => ({
    id: booking.id,
    status: booking.status,
    customer: [customer.firstName, customer.lastName].join(' ').trim() || '(erased)',
    group: booking.assetGroup.name,
    pickup: minuteOf(booking.pickupDatetime),
    dropoff: minuteOf(booking.dropoffDatetime),
    total: `${booking.total} ${booking.currency}`,
    short: short === true ? 'SHORT' : '',
  }))
  const columns = [
    { field: 'id', title: 'ID', whole: true },
    { field: 'status', title: 'STATUS' },
    { field: 'customer', title: 'CUSTOMER' },
    { field: 'group', title: 'GROUP' },
    { field: 'pickup', title: 'PICKUP (UTC)', whole: true },
    { field: 'dropoff', title: 'DROP-OFF (UTC)', whole: true },
    { field: 'total', title: 'TOTAL', right: true },
    { field: 'short', title: '' },
  ] as const
  return table(rows, columns, width)
}

function minuteOf(at: Date): string {
  return at.toISOString().slice(0, 16).replace('T', ' ')
}
