import { pluralize, pluralizeAll } from '../../domain/pluralize.ts'
import { localDate } from '../../domain/pricing/period.ts'
import { customerDetails, rentalDetails } from '../../input/bookingDetails.ts'
import type { BookingPage } from '../../services/bookings/showBooking.ts'
import { fullName } from './bookingTable.ts'
import { fitToWidth, sanitizeLine } from './cell.ts'
import { age, longTime, shortDay } from './dates.ts'

const labelWidth = 10
const amountWidth = 12
const barMax = 20
const spansMax = 12

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
  const { customer, erasedAt, length, apiKey } = page
  const madeWith = `"${apiKey.name}" (${page.channel})`
  const [hour, minute] = [Math.floor(length.restMinutes / 60), length.restMinutes % 60]
  return [
    `Booking ${page.id}: ${page.status}${waits}\n`,
    `${sanitizeLine(page.tenant.name)}, times in ${page.timezone}\n\n`,
    field('Customer', erasedAt === null ? fullName(customer) : `erased on ${at(erasedAt)}`),
    ...labelled(customerDetails, customer),
    field('Pickup', whenAndWhere(page.pickupDatetime, page.pickupLocation)),
    field('Drop-off', whenAndWhere(page.dropoffDatetime, page.dropoffLocation)),
    field('Length', pluralizeAll({ day: length.days, hour, minute }).join(' ')),
    field('Group', `${page.assetGroup.name} (${page.assetGroup.category})`),
    ...labelled(rentalDetails, page),
    '\n',
    ...priceOf(page),
    field('Quote', page.quoteId),
    '\n',
    ...vehiclesOf(page),
    field('History', `${at(page.createdAt)}  pending, created with the key ${madeWith}`),
    ...page.history.map((event) => field('', `${at(event.at)}  ${describeEvent(event)}`)),
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

function priceOf(page: BookingPage): string[] {
  const room = 80 - labelWidth - amountWidth
  return priceLines(page).map(([text = '', amount = ''], index) => {
    const label = (index === 0 ? 'Price' : '').padEnd(labelWidth)
    return `${label}${fitToWidth(sanitizeLine(text), room)}${amount.padStart(amountWidth)}\n`
  })
}

function priceLines({ breakdown, total, currency }: BookingPage): string[][] {
  const { rate, extras, tax } = breakdown
  return [
    ...rate.lines.map(({ rateName, quantity, unit, unitPrice, amount }) => [
      `${rateName}: ${quantity} × ${unit} at ${unitPrice}`,
      amount,
    ]),
    ...extras.map((extra) => [
      `${extra.name}: ${extra.quantity} × ${extra.unitPrice}${describeDays(extra)}`,
      extra.amount,
    ]),
    [`Tax of ${tax.percent} %${tax.included ? ', included' : ''}`, tax.amount],
    [`Total in ${currency}`, total],
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

/**
 * Formats whether the booking can be confirmed, then the vehicles that other bookings take on each
 * day. `>` marks the booking's own days; `#`, `?` and `.` are confirmed, pending and free vehicles.
 */
function vehiclesOf({ status, vehicles, pickupDatetime, dropoffDatetime, timezone }: BookingPage) {
  if (vehicles === null) return []
  const [first, last] = [localDate(pickupDatetime, timezone), localDate(dropoffDatetime, timezone)]
  const most = Math.max(...vehicles.days.map(({ inService }) => inService))
  const lines = vehicles.days.map(({ from, to, inService, confirmed, held }) => {
    const days = from === to ? shortDay(from) : `${shortDay(from)} - ${shortDay(to)}`
    const mark = from <= last && to >= first ? '>' : ' '
    const pending = held > confirmed ? `, ${held} with pending` : ''
    const taken = '#'.repeat(confirmed) + '?'.repeat(held - confirmed)
    const bar = taken.slice(0, inService).padEnd(inService, '.').padEnd(most)
    const drawn = most > barMax ? '' : `${bar}  `
    return `${mark} ${days.padEnd(25)} ${drawn}${confirmed} of ${inService} taken${pending}\n`
  })
  const more = lines.length - spansMax
  const rest = more > 0 ? `  … and ${more} more lines; --json has them all\n` : ''
  return [
    field('Vehicles', describeVehicles(status, vehicles)),
    ...lines.slice(0, spansMax),
    rest,
    '\n',
  ]
}

type Vehicles = NonNullable<BookingPage['vehicles']>

function describeVehicles(status: BookingPage['status'], vehicles: Vehicles): string {
  const { inService, confirmed, held, short, contested } = vehicles
  const others = `${inService} in service during the rental, ${confirmed} taken by other confirmed bookings`
  if (status === 'confirmed') return `${short ? 'Overbooked' : 'Enough'}: ${others}.`
  if (short) return `Can't be confirmed without overbooking: ${others}.`
  if (!contested) return `Can be confirmed: ${others}.`
  return `Can be confirmed, but there are not enough vehicles for all pending bookings: ${others}, ${held - confirmed} requested by other pending bookings.`
}
