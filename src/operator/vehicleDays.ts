import { localDate } from '../domain/period.ts'
import type { BookingPage } from '../services/showBooking.ts'
import { shortDay } from './when.ts'

const barMax = 20
const spansMax = 12

/** Whether it can be confirmed now, and whether all that waits can be. */
export function sayVehicles({ status, vehicles }: BookingPage): string {
  if (vehicles === null) return ''
  const { inService, confirmed, held, short, contested } = vehicles
  const others = `${inService} in service then, ${confirmed} taken by other confirmed bookings`
  if (status === 'confirmed') return `${short ? 'Overbooked' : 'Enough'}: ${others}.`
  if (short) return `Can't be confirmed, it would overbook: ${others}.`
  if (!contested) return `Can be confirmed: ${others}.`
  return `Can be confirmed, but not all that is pending: ${others}, ${held - confirmed} more wanted by pending ones.`
}

/** The vehicles that others take, by day; `>` marks the days of the booking itself. */
export function daysOf({ vehicles, pickupDatetime, dropoffDatetime, timezone }: BookingPage) {
  if (vehicles === null) return ''
  const [first, last] = [localDate(pickupDatetime, timezone), localDate(dropoffDatetime, timezone)]
  const most = Math.max(...vehicles.days.map(({ inService }) => inService))
  const lines = vehicles.days.map(({ from, to, inService, confirmed, held }) => {
    const days = from === to ? shortDay(from) : `${shortDay(from)} - ${shortDay(to)}`
    const mark = from <= last && to >= first ? '>' : ' '
    const pending = held > confirmed ? `, ${held} with pending` : ''
    const bar = most > barMax ? '' : `${barOf(inService, confirmed, held).padEnd(most)}  `
    return `${mark} ${days.padEnd(25)} ${bar}${confirmed} of ${inService} taken${pending}\n`
  })
  const more = lines.length - spansMax
  if (more <= 0) return lines.join('')
  return [...lines.slice(0, spansMax), `  … and ${more} more lines; --json has them all\n`].join('')
}

/** `##?.`: confirmed, pending, free. */
function barOf(inService: number, confirmed: number, held: number): string {
  const bar = '#'.repeat(confirmed) + '?'.repeat(held - confirmed)
  return bar.slice(0, inService).padEnd(inService, '.')
}
