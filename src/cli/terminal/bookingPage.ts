import { pluralize, pluralizeAll } from '../../domain/pluralize.ts'
import { customerDetails, rentalDetails } from '../../input/bookingDetails.ts'
import type { BookingPage } from '../../services/bookings/showBooking.ts'
import { fullName } from './bookingTable.ts'
import { sanitizeLine } from './cell.ts'
import { age, longTime, shortDay } from './dates.ts'
import { table } from './table.ts'

const labelWidth = 10

/** Formats a text, with the label before its first line. Returns '' for no text. */
function field(label: string, text: string | null): string {
  const lines = text ? text.replaceAll('\t', ' ').split(/\r\n|[\n\r]/) : []
  return lines
    .map((line, index) => `${(index === 0 ? label : '').padEnd(labelWidth)}${sanitizeLine(line)}\n`)
    .join('')
}

type Labels = Readonly<Record<string, { readonly label: string | null }>>

function labelled(details: Labels, values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(details).map(([name, { label }]) =>
    label === null ? '' : field(label, String(values[name] ?? '')),
  )
}

export function bookingPage(page: BookingPage, now: Date): string {
  const at = (date: Date) => longTime(date, page.timezone)
  const whenAndWhere = (date: Date, location: string | null) =>
    [at(date), location].filter(Boolean).join('  ')
  const waits = page.status === 'pending' ? ` for ${age(page.createdAt, now)}` : ''
  const { customer, erasedAt, length, apiKey, closed } = page
  const madeWith = `"${apiKey.name}" (${page.channel})`
  const [hour, minute] = [Math.floor(length.restMinutes / 60), length.restMinutes % 60]
  return [
    `Booking ${page.id}: ${page.status}${waits}\n`,
    `${sanitizeLine(page.tenant.name)}, times in ${page.timezone}\n\n`,
    field('Customer', erasedAt === null ? fullName(customer) : `erased on ${at(erasedAt)}`),
    ...labelled(customerDetails, customer),
    field('Pickup', whenAndWhere(page.pickupDatetime, page.pickupLocation)),
    field('', closed.pickup && `Closed: ${closed.pickup}.`),
    field('Drop-off', whenAndWhere(page.dropoffDatetime, page.dropoffLocation)),
    field('', closed.dropoff && `Closed: ${closed.dropoff}.`),
    field('Length', pluralizeAll({ day: length.days, hour, minute }).join(' ')),
    field('Group', `${page.assetGroup.name} (${page.assetGroup.category})`),
    ...labelled(rentalDetails, page),
    field('Quote', page.quoteId),
    '\n',
    table(priceRows(page), { fixed: [], right: ['AMOUNT'] }),
    '\n',
    ...vehiclesOf(page),
    field('History', `${at(page.createdAt)}  pending, created with the key ${madeWith}`),
    ...page.history.flatMap((event) => [
      field('', `${at(event.at)}  ${describeEvent(event)}`),
      field('', event.message && `To the customer: ${event.message}`),
    ]),
  ].join('')
}

function describeEvent({
  from,
  to,
  actor,
  reason,
  forced,
}: BookingPage['history'][number]): string {
  if (from === to) return `${reason} by ${actor}`
  return `${to} by ${actor}${forced ? ', which overbooked its group' : ''}${reason === null ? '' : `: ${reason}`}`
}

function priceRows({ breakdown, total, currency }: BookingPage) {
  const { rate, extras, tax } = breakdown
  return [
    ...rate.lines.map(({ rateName, quantity, unit, unitPrice, amount }) => ({
      PRICE: `${rateName}: ${quantity} × ${unit} at ${unitPrice}`,
      AMOUNT: amount,
    })),
    ...extras.map((extra) => ({
      PRICE: `${extra.name}: ${extra.quantity} × ${extra.unitPrice}${describeDays(extra)}`,
      AMOUNT: extra.amount,
    })),
    { PRICE: `Tax of ${tax.percent} %${tax.included ? ', included' : ''}`, AMOUNT: tax.amount },
    { PRICE: `Total in ${currency}`, AMOUNT: total },
  ]
}

function describeDays({
  pricing,
  days,
  maxPrice,
}: BookingPage['breakdown']['extras'][number]): string {
  if (pricing === 'per_rental') return ' per rental'
  const most = maxPrice ? `, max ${maxPrice} each` : ''
  return days ? ` a day for ${pluralize(days, 'day')}${most}` : ' a day'
}

/** Formats whether the booking can be confirmed, then what other bookings take on each day. */
function vehiclesOf({ status, vehicles }: BookingPage): string[] {
  if (vehicles === null) return []
  const rows = vehicles.days.map(({ from, to, inService, confirmed, held }) => ({
    DAYS: from === to ? shortDay(from) : `${shortDay(from)} - ${shortDay(to)}`,
    'IN SERVICE': String(inService),
    CONFIRMED: String(confirmed),
    PENDING: String(held - confirmed),
  }))
  const right = ['IN SERVICE', 'CONFIRMED', 'PENDING'] as const
  return [
    field('Vehicles', describeVehicles(status, vehicles)),
    table(rows, { fixed: [], right }),
    '\n',
  ]
}

type Vehicles = NonNullable<BookingPage['vehicles']>

function describeVehicles(status: BookingPage['status'], vehicles: Vehicles): string {
  const { inService, confirmed, held, short, contested } = vehicles
  const others = `${inService} in service during the rental, ${confirmed} taken by other confirmed bookings`
  if (status === 'confirmed') return `${short ? 'Overbooked' : 'Enough'}: ${others}.`
  if (short) {
    const cause =
      confirmed < inService ? `${others}, and a booking beside a block needs the last one` : others
    return `Can't be confirmed without overbooking: ${cause}.`
  }
  if (!contested) return `Can be confirmed: ${others}.`
  return `Can be confirmed, but there are not enough vehicles for all pending bookings: ${others}, ${held - confirmed} requested by other pending bookings.`
}
