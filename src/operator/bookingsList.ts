import { Option } from '@commander-js/extra-typings'
import { bookingStatuses } from '../domain/bookings.ts'
import { type ListedBooking, listBookings } from '../services/listBookings.ts'
import { command } from './command.ts'
import type { Context } from './context.ts'
import { table } from './table.ts'

export const bookingsList = ({ io, withDatabase, answer }: Context) =>
  command(
    'list',
    "List a tenant's bookings by pickup, and mark those at whose time all open bookings need more vehicles than there are.",
    ['rental bookings list --tenant fjord-cars --status pending'],
  )
    .requiredOption('--tenant <slug>', 'slug of the tenant')
    .addOption(
      new Option('--status <status>', 'only bookings with this status').choices(bookingStatuses),
    )
    .action(async ({ tenant, status }) => {
      const bookings = await withDatabase((database) => listBookings(database, tenant, status))
      const text = bookings.length === 0 ? 'No bookings.\n' : bookingTable(bookings, io.columns)
      answer({ json: bookings, text })
    })

function bookingTable(bookings: readonly ListedBooking[], width: number | undefined): string {
  const rows = bookings.map(({ customer, short, ...booking }) => ({
    ID: booking.id,
    STATUS: booking.status,
    CUSTOMER: [customer.firstName, customer.lastName].join(' ').trim() || '(erased)',
    GROUP: booking.assetGroup.name,
    'PICKUP (UTC)': minuteOf(booking.pickupDatetime),
    'DROP-OFF (UTC)': minuteOf(booking.dropoffDatetime),
    TOTAL: `${booking.total} ${booking.currency}`,
    VEHICLES: short === true ? 'too few' : '',
  }))
  const whole = ['ID', 'PICKUP (UTC)', 'DROP-OFF (UTC)'] as const
  return table(rows, { whole, right: ['TOTAL'] }, width)
}

function minuteOf(at: Date): string {
  return at.toISOString().slice(0, 16).replace('T', ' ')
}
