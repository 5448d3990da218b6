import { z } from 'zod'
import { shortId } from '../../domain/ids.ts'
import { localMinute } from '../../domain/pricing/period.ts'
import {
  type BookingFeedEvent,
  isCursor,
  watchBookings,
} from '../../services/bookings/watchBookings.ts'
import { type Context, tenantCommand } from '../command.ts'
import { optionParser } from '../options.ts'
import { fullName } from '../terminal/bookingTable.ts'
import { sanitizeLine } from '../terminal/cell.ts'
import { shortTime } from '../terminal/dates.ts'

export const bookingsWatch = (context: Context) =>
  tenantCommand(
    'watch',
    'Print a line for each new booking and each decision, until interrupted.',
    [
      'rental bookings watch --tenant fjord-cars',
      'rental bookings watch --tenant fjord-cars --since 412-9e8d7c6b --json',
    ],
  )
    .option(
      '--since <cursor>',
      'start after this cursor, the last word of a line; 0: start with the first booking',
      optionParser(
        z.string().refine(isCursor),
        'Use the last word of a line, such as 412-9e8d7c6b, or 0.',
      ),
    )
    .action(({ tenant, since }) =>
      context.withTenant(tenant, async (database, slug) => {
        const { io } = context
        const events = watchBookings(database, slug, {
          since,
          signal: io.signal ?? new AbortController().signal,
          onStart: (tenant, cursor) =>
            io.writeError(
              `Watching ${sanitizeLine(tenant.name)}, starting after cursor ${cursor}.\n`,
            ),
          onAvailability: (failure) =>
            io.writeError(
              failure === undefined
                ? 'The database is available again.\n'
                : 'The database is unavailable. Retrying.\n',
            ),
        })
        for await (const event of events)
          context.emit({ json: event, text: lineOf(event, context.now) })
      }),
    )

function lineOf({ cursor, type, at, actor, reason, booking }: BookingFeedEvent, now: Date): string {
  const { timezone, customer, assetGroup, total, currency } = booking
  const who = actor === null ? '' : ` by ${sanitizeLine(actor)}`
  // `shortTime` pads the year with a second blank for columns.
  const pickup = shortTime(booking.pickupDatetime, timezone, now).replace('  ', ' ')
  const why = reason === null ? '' : `: ${sanitizeLine(reason)}`
  return (
    `${localMinute(at, timezone)} ${type} ${shortId(booking.id)} ` +
    `${sanitizeLine(fullName(customer))}, ${sanitizeLine(assetGroup.name)}, ` +
    `${pickup}, ${total} ${currency}${who}${why} ${cursor}\n`
  )
}
