import { Option } from '@commander-js/extra-typings'
import { z } from 'zod'
import { shortId } from '../domain/ids.ts'
import { localMinute } from '../domain/period.ts'
import { rehearse } from '../services/rehearse.ts'
import {
  type BookingNews,
  isCursor,
  type WatchOptions,
  watchBookings,
} from '../services/watchBookings.ts'
import { nameOfCustomer } from './bookingTable.ts'
import { shown } from './cell.ts'
import { type Context, command, type Io, tenantCommand } from './command.ts'
import { read, readDuration } from './options.ts'
import { shortTime } from './when.ts'

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
      'start after this cursor, the last word of a line; 0: at the beginning',
      read(z.string().refine(isCursor), 'Use the last word of a line, such as 412-9e8d7c6b, or 0.'),
    )
    .action(({ tenant: slug, since }) =>
      context.withDatabase(async (database) => {
        const news = watchBookings(database, slug, { since, ...watching(context.io) })
        for await (const one of news) context.tell({ json: one, text: lineOf(one, context.now) })
      }),
    )

/** How a command watches: until nobody reads any more, saying where it begins and what it waits for. */
export function watching(io: Io): Omit<WatchOptions, 'since'> {
  return {
    signal: io.signal ?? new AbortController().signal,
    onStart: (tenant, cursor) =>
      io.writeError(
        `Watching ${shown(tenant.name)}${cursor === undefined ? '' : `, starting after cursor ${cursor}`}.\n`,
      ),
    onAvailability: (failure) =>
      io.writeError(
        failure === undefined
          ? 'The database is back.\n'
          : 'The database is unavailable. Retrying until it is back.\n',
      ),
  }
}

function lineOf({ cursor, type, at, actor, reason, booking }: BookingNews, now: Date): string {
  const { timezone, customer, assetGroup, total, currency } = booking
  const who = actor === null ? '' : ` by ${shown(actor)}`
  // In columns a year stands under the times of others; a sentence has one blank.
  const pickup = shortTime(booking.pickupDatetime, timezone, now).replace('  ', ' ')
  const why = reason === null ? '' : `: ${shown(reason)}`
  return (
    `${localMinute(at, timezone)} ${type} ${shortId(booking.id)} ` +
    `${shown(nameOfCustomer(customer))}, ${shown(assetGroup.name)}, ` +
    `${pickup}, ${total} ${currency}${who}${why} ${cursor}\n`
  )
}

export const bookingsRehearse = (context: Context) =>
  command('rehearse', "Decide a sandbox's bookings as their notes ask, until interrupted.", [
    'rental bookings rehearse --tenant sandbox',
    'rental bookings rehearse --tenant sandbox --after 1m',
  ])
    .requiredOption('--tenant <slug>', 'slug of a tenant that is a sandbox')
    .addOption(
      new Option('--after <time>', 'how long to wait before deciding, such as 5s or 1m')
        .default(5, '5s')
        .argParser(readDuration),
    )
    .action(({ tenant, after: afterSeconds }) =>
      context.withDatabase(async (database) => {
        const options = { afterMs: afterSeconds * 1_000, ...watching(context.io) }
        for await (const one of rehearse(database, tenant, options)) {
          context.tell({ json: one, text: `Booking ${one.id} is ${one.status}.\n` })
        }
      }),
    )
