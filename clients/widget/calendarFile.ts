/** A rental as a calendar entry. */
export interface CalendarEvent {
  readonly bookingId: string
  readonly createdAt: string
  readonly pickupDatetime: string
  readonly dropoffDatetime: string
  readonly summary: string
  readonly description: string
  readonly location: string
}

/** Returns an iCalendar file (RFC 5545) with one event from pickup to drop-off. */
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

/** Formats an instant in UTC, because other zones require a VTIMEZONE component. */
const instant = (datetime: string) =>
  `${new Date(datetime).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`

/** Escapes a text. A line end of any kind would end the property, and controls are not allowed. */
const escaped = (text: string) =>
  text
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll(/\r\n?|[\n\u0085\u2028\u2029]/g, '\\n')
    .replaceAll(/[^\P{Cc}\t]/gu, '')

/** Folds a line at 18 characters: at four octets each they stay within the limit of 75 octets. */
const folded = (line: string) => line.match(/.{1,18}/gsu)?.join('\r\n ') ?? ''
