/** A rental as its renter's calendar shows it. */
export interface CalendarEvent {
  readonly bookingId: string
  readonly createdAt: string
  readonly pickupDatetime: string
  readonly dropoffDatetime: string
  readonly summary: string
  readonly description: string
  readonly location: string
}

/** One event, from pickup to drop-off, as an iCalendar file (RFC 5545). */
export function calendarFile(event: CalendarEvent): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Rental Booking API//Widget//EN',
    'BEGIN:VEVENT',
    `UID:${event.bookingId}`,
    `DTSTAMP:${instant(event.createdAt)}`,
    `DTSTART:${instant(event.pickupDatetime)}`,
    `DTEND:${instant(event.dropoffDatetime)}`,
    `SUMMARY:${escaped(event.summary)}`,
    `DESCRIPTION:${escaped(event.description)}`,
    ...(event.location ? [`LOCATION:${escaped(event.location)}`] : []),
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

/** In UTC, so that no description of a time zone is needed. */
const instant = (datetime: string) =>
  `${new Date(datetime).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`

const escaped = (text: string) => text.replaceAll(/[\\;,]/g, '\\$&').replaceAll(/\r?\n/g, '\\n')

/** A line has at most 75 octets, and a character at most four: 18 always fit, with the space before. */
const folded = (line: string) => line.match(/.{1,18}/gsu)?.join('\r\n ') ?? ''
