import { Option } from '@commander-js/extra-typings'
import { z } from 'zod'
import { searchedDetails } from '../../db/queries/bookings/detailColumns.ts'
import { bookingStatuses, channels } from '../../domain/bookingRules.ts'
import { dayNumber, formatDate } from '../../domain/pricing/period.ts'
import { calendarDate } from '../../input/dateTime.ts'
import { listBookings } from '../../services/bookings/listBookings.ts'
import { type BookingPage, showBooking } from '../../services/bookings/showBooking.ts'
import { UsageError } from '../../services/operatorError.ts'
import { resolveBookings, resolveKey } from '../../services/resolveIds.ts'
import { tenantBySlug } from '../../services/tenantTerms.ts'
import { type Context, command, tenantCommand } from '../command.ts'
import { bookingIdsHelp, idHelp, optionParser, parseEnd, parseStart } from '../options.ts'
import { bookingPage } from '../terminal/bookingPage.ts'
import { bookingTable } from '../terminal/bookingTable.ts'

export const bookingsList = ({ io, now, withTenant, finish }: Context) =>
  tenantCommand('list', "List a tenant's open bookings, the soonest pickup first.", [
    'rental bookings list',
    'rental bookings list --tenant fjord-cars --status all --search nordmann',
    'rental bookings list --returns --status confirmed --from today --to today',
  ])
    .addOption(
      new Option('--status <status>', 'open: pending, or confirmed with a drop-off in the future')
        .choices(['open', 'all', ...bookingStatuses])
        .default('open' as const),
    )
    .option(
      '--from <date>',
      "picked up on this date or later, on the tenant's clock; `today` is a date, too",
      (typed) => parseDay(typed, parseStart),
    )
    .option('--to <date>', 'picked up on this date or earlier', (typed) =>
      parseDay(typed, parseEnd),
    )
    .option('--returns', 'with --from, --to and in order of the drop-off instead of the pickup')
    .option(
      '--search <text>',
      `only bookings with all these words in ${searchedDetails}, group or ID`,
    )
    .option('--key <id>', `only bookings made with this API key: ${idHelp('key')}`)
    .addOption(
      new Option('--channel <channel>', 'only bookings that a browser, or a server, made').choices(
        channels,
      ),
    )
    .option('--limit <n>', 'show at most this many', count)
    .action(async ({ tenant: given, status, from, to, search, key, channel, limit, ...by }) => {
      const { tenant, bookings, more } = await withTenant(given, async (database, slug) => {
        const { timeZone } = await tenantBySlug(database, slug)
        const range = { from: from?.(timeZone, now), to: to?.(timeZone, now) }
        if (range.from && range.to && range.to <= range.from) {
          throw new UsageError('--to must not be before --from.')
        }
        const words = search?.split(/\s+/).filter(Boolean)
        const apiKeyId = key && (await resolveKey(database, key)).id
        const filter = { status, ...range, ...by, words, apiKeyId, channel, limit }
        return listBookings(database, slug, filter, now)
      })
      const none =
        status === 'open'
          ? 'No open bookings found. Use --status all to see others.'
          : 'No bookings found.'
      const text = bookingTable({ bookings, tenant, ...by }, now, io.columns) || `${none}\n`
      finish({ json: bookings, text })
      if (more > 0) io.writeError(`${more} more, left out by --limit ${limit}.\n`)
    })

const date = optionParser(calendarDate, 'Use a date such as 2027-03-01, or today.')

/** Parses a date, or `today`. Returns a function of the time zone. */
function parseDay(typed: string, parse: typeof parseStart) {
  const day = typed === 'today' ? undefined : date(typed)
  return (timeZone: string, now: Date) =>
    parse(day ?? formatDate(dayNumber(now, timeZone)))(timeZone)
}

const count = optionParser(z.coerce.number().int().positive(), 'Use a whole number, 1 or greater.')

export const bookingsShow = ({ now, withDatabase, finish }: Context) =>
  command('show', 'Show everything about a booking: customer, price, vehicles left, history.', [
    'rental bookings show 4f1c2a9e',
  ])
    .argument('<id...>', bookingIdsHelp)
    .action(async (ids) => {
      const pages: BookingPage[] = []
      await withDatabase(async (database) => {
        // Sequentially, because the pool is small and waiting for a connection times out.
        for (const key of await resolveBookings(database, ids)) {
          pages.push(await showBooking(database, key, now))
        }
      })
      const text = pages.map((page) => bookingPage(page, now)).join('\n\n')
      finish({ json: pages.length === 1 ? pages[0] : pages, text })
    })
