import { shortId } from '../../domain/ids.ts'
import { pluralize } from '../../domain/pluralize.ts'
import { shortText } from '../../input/fields.ts'
import { blockAsset, unblockAsset } from '../../services/blockAsset.ts'
import type { ListedBooking } from '../../services/bookings/listBookings.ts'
import { type Context, command } from '../command.ts'
import { asOption, optionParser, parseEnd, parseStart } from '../options.ts'
import { fullName } from '../terminal/bookingTable.ts'
import { sanitizeLine } from '../terminal/cell.ts'
import { longTime } from '../terminal/dates.ts'
import { table } from '../terminal/table.ts'

const tenantOption = [
  '--tenant <slug>',
  'tenant of the vehicle, if several tenants have a vehicle with this ref',
] as const

export const fleetBlock = ({ io, now, operator, withDatabase, finish }: Context) =>
  command('block', 'Take a vehicle out of service for a time.', [
    "rental fleet block 'EL 12345' --to 2027-03-05 --reason 'broken axle'",
    "rental fleet block 'EL 12345' --from '2027-03-01 08:00' --to 2027-03-03",
  ])
    .argument('<asset>', 'ref of the vehicle, such as its number plate')
    .requiredOption(
      '--to <time>',
      "when it ends, in the tenant's time zone; a date alone means the end of that day",
      parseEnd,
    )
    .option(
      '--from <time>',
      'when it begins (default: now); a date alone means the start of that day',
      parseStart,
    )
    .option('--reason <text>', 'why, shown with the block', optionParser(shortText))
    .option(...tenantOption)
    .option(...asOption)
    .action(async (ref, { from, to, reason, tenant: slug, as }) => {
      const block = { to, reason, blockedBy: operator(as), ...(from && { from }) }
      const { wasBlocked, short, ...blocked } = await withDatabase(
        blockAsset,
        { ref, slug },
        block,
        now,
      )
      const { timezone, inService, confirmed } = blocked
      const text =
        `${wasBlocked ? 'Already blocked:' : 'Blocked'} ${sanitizeLine(blocked.asset)} (${blocked.tenant}, ${sanitizeLine(blocked.assetGroup)}) from ` +
        `${longTime(blocked.from, timezone)} to ${longTime(blocked.to, timezone)}.\n` +
        `Throughout that time its group has ${pluralize(inService, 'vehicle')} in service and at most ${pluralize(confirmed, 'confirmed booking')}.\n`
      const warning =
        `Not enough for the confirmed bookings below. Find them another vehicle, or cancel them:\n` +
        shortTable(short, io.columns)
      const json = { ...blocked, short: short.map(({ id }) => id) }
      finish({ json, text: short.length > 0 ? text + warning : text })
    })

function shortTable(bookings: readonly ListedBooking[], width: number | undefined): string {
  const rows = bookings.map((booking) => ({
    ID: shortId(booking.id),
    PICKUP: longTime(booking.pickupDatetime, booking.timezone),
    'DROP-OFF': longTime(booking.dropoffDatetime, booking.timezone),
    CUSTOMER: fullName(booking.customer),
    PHONE: booking.customer.phone ?? '',
  }))
  return table(rows, { fixed: ['ID', 'PICKUP', 'DROP-OFF', 'PHONE'] }, width)
}

export const fleetUnblock = ({ now, withDatabase, finish }: Context) =>
  command('unblock', 'Put a blocked vehicle into service again.', [
    "rental fleet unblock 'EL 12345'",
    "rental fleet unblock 'EL 12345' --from '2027-03-01 08:00'",
  ])
    .argument('<asset>', 'ref of the vehicle')
    .option('--from <time>', 'when the block begins, if there are several', parseStart)
    .option(...tenantOption)
    .action(async (ref, { from, tenant: slug }) => {
      const block = await withDatabase(unblockAsset, { ref, slug }, from, now)
      const text =
        `Unblocked ${sanitizeLine(block.asset)} (${block.tenant}, ${sanitizeLine(block.assetGroup)}): it was blocked from ` +
        `${longTime(block.from, block.timezone)} to ${longTime(block.to, block.timezone)}.\n`
      const warning =
        block.blockedBy === null
          ? 'A fleet file set this block. Import a file without it; otherwise the next import restores it.\n'
          : 'Importing a file that has this block, such as an export made in the meantime, restores it.\n'
      finish({ json: block, text: text + warning })
    })
