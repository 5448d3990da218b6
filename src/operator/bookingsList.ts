import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { bookingStatuses } from '../domain/bookings.ts'
import { calendarDate } from '../input/dateTime.ts'
import { listBookings } from '../services/listBookings.ts'
import { resolveBookings } from '../services/resolveIds.ts'
import { showBooking } from '../services/showBooking.ts'
import { tenantBySlug } from '../services/tenants.ts'
import { bookingPage } from './bookingPage.ts'
import { bookingTable } from './bookingTable.ts'
import { command } from './command.ts'
import type { Context } from './context.ts'
import { beginning, ending } from './options.ts'

export const bookingsList = ({ io, now, withDatabase, answer }: Context) =>
  command('list', "List a tenant's open bookings, the soonest pickup first.", [
    'rental bookings list --tenant fjord-cars',
    'rental bookings list --tenant fjord-cars --status all --search nordmann',
  ])
    .requiredOption('--tenant <slug>', 'slug of the tenant')
    .addOption(
      new Option('--status <status>', 'open: pending, and confirmed until the drop-off')
        .choices(['open', 'all', ...bookingStatuses])
        .default('open' as const),
    )
    .option('--from <date>', "picked up on this date or later, on the tenant's clock", (typed) =>
      beginning(date(typed)),
    )
    .option('--to <date>', 'picked up on this date or earlier', (typed) => ending(date(typed)))
    .option('--search <text>', 'words in names, email, phone, places, note, group or ID')
    .option('--limit <n>', 'show at most this many', count)
    .action(async ({ tenant: slug, status, from, to, search, limit }) => {
      const { tenant, bookings, more } = await withDatabase(async (database) => {
        const { timeZone } = await tenantBySlug(database, slug)
        const range = { from: from?.(timeZone), to: to?.(timeZone) }
        const words = search?.split(/\s+/).filter(Boolean)
        return listBookings(database, slug, { status, ...range, words, limit }, now)
      })
      const none =
        status === 'open' ? 'No open bookings. Use --status all to see others.' : 'No bookings.'
      const text = bookingTable(bookings, tenant, now, io.columns) || `${none}\n`
      answer({ json: bookings, text })
      if (more > 0) io.writeError(`${more} more, left out by --limit ${limit}.\n`)
    })

function date(typed: string): string {
  if (calendarDate.safeParse(typed).success) return typed
  throw new InvalidArgumentError('Use a date such as 2027-03-01.')
}

function count(typed: string): number {
  if (/^[1-9]\d{0,8}$/.test(typed)) return Number(typed)
  throw new InvalidArgumentError('Use a whole number, 1 or greater.')
}

export const bookingsShow = ({ io, now, withDatabase, answer }: Context) =>
  command('show', 'Show everything about a booking: customer, price, vehicles left, history.', [
    'rental bookings show 4f1c2a9e',
  ])
    .argument('<id...>', 'IDs of bookings, or their first 6 or more characters')
    .action(async (ids) => {
      const pages = await withDatabase(async (database) => {
        const keys = await resolveBookings(database, ids)
        return Promise.all(keys.map((key) => showBooking(database, key, now)))
      })
      const text = pages.map((page) => bookingPage(page, now, io.columns)).join('\n\n')
      answer({ json: pages.length === 1 ? pages[0] : pages, text })
    })
