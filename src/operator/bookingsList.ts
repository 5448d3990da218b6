import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { bookingStatuses } from '../domain/bookings.ts'
import { readDate, writeDate } from '../domain/period.ts'
import { dayMs } from '../domain/units.ts'
import { instantMs } from '../domain/zone.ts'
import { listBookings } from '../services/listBookings.ts'
import { tenantBySlug } from '../services/tenants.ts'
import { bookingTable } from './bookingTable.ts'
import { command } from './command.ts'
import type { Context } from './context.ts'

export const bookingsList = ({ io, now, withDatabase, answer }: Context) =>
  command('list', "List a tenant's open bookings, the soonest pickup first.", [
    'rental bookings list --tenant fjord-cars',
    'rental bookings list --tenant fjord-cars --status all --search nordmann --limit 20',
  ])
    .requiredOption('--tenant <slug>', 'slug of the tenant')
    .addOption(
      new Option('--status <status>', 'open: pending, and confirmed until the drop-off')
        .choices(['open', 'all', ...bookingStatuses])
        .default('open' as const),
    )
    .option('--from <date>', "picked up on this date or later, on the tenant's clock", date)
    .option('--to <date>', 'picked up on this date or earlier', date)
    .option('--search <text>', 'in names, email, phone, places, note, group and ID')
    .option('--limit <n>', 'show so many at most', count)
    .action(async ({ tenant: slug, status, from, to, search, limit }) => {
      const { tenant, bookings, more } = await withDatabase(async (database) => {
        const { timezone } = await tenantBySlug(database, slug)
        const begin = (day: number | undefined) =>
          day === undefined ? undefined : new Date(instantMs(day * dayMs, timezone))
        const filter = {
          status,
          from: begin(from),
          to: begin(to === undefined ? to : to + 1),
          words: search?.split(/\s+/).filter(Boolean),
          limit,
        }
        return listBookings(database, slug, filter, now)
      })
      const none =
        status === 'open' ? 'No open bookings. Use --status all to see others.' : 'No bookings.'
      const text = bookingTable(bookings, tenant, now, io.columns) || `${none}\n`
      answer({ json: bookings, text })
      if (more > 0) io.writeError(`${more} more, left out by --limit ${limit}.\n`)
    })

/** The number of a calendar date. */
function date(typed: string): number {
  const day = readDate(typed)
  if (/^\d{4}-\d\d-\d\d$/.test(typed) && Number.isFinite(day) && writeDate(day) === typed)
    return day
  throw new InvalidArgumentError('Use a date such as 2027-03-01.')
}

function count(typed: string): number {
  if (/^[1-9]\d{0,8}$/.test(typed)) return Number(typed)
  throw new InvalidArgumentError('Use a whole number from 1 on.')
}
