import { dayMs } from '../domain/units.ts'
import type { Demo } from './demo.ts'

const daysAhead = 7
const rentalDays = 3

/** Returns the text that a demo prints: the API's address, its keys, and three steps to a booking. */
export function demoBanner(demo: Demo, baseUrl: string, hasSite: boolean, now: Date): string {
  const site = hasSite ? `\nExample website:    ${demo.websiteOrigins[0]}` : ''
  const [quote, book, poll] = threeSteps(demo, baseUrl, now)
  return `
Rental Booking API: ${baseUrl}/api/v1${site}

  key for servers    ${demo.serverKey}
  key for the site   ${demo.websiteKey}
                     (from ${demo.websiteOrigins.join(', ')})

Five minutes to a booking:  ${baseUrl}/docs/integrate
Reference, to try it:       ${baseUrl}/docs

Ctrl-C ends the server.

Three steps to a booking, to paste into another terminal:

# 1. Request a binding quote.
${quote}

# 2. Submit it.
${book}

# 3. Poll for the decision of the staff.
${poll}

# Staff confirm it with: npm run -s rental -- bookings confirm $BOOKING_ID
`
}

function threeSteps({ serverKey, assetGroupId }: Demo, baseUrl: string, now: Date) {
  const api = `${baseUrl}/api/v1`
  const authorization = `-H 'Authorization: Bearer ${serverKey}'`
  const json = `-H 'Content-Type: application/json'`
  const customer = { firstName: 'Kari', lastName: 'Nordmann', email: 'kari@example.com' }
  const rental = { assetGroupId, ...demoPeriod(now) }
  return [
    storeField(
      'QUOTE_ID',
      'quoteId',
      `curl -si ${api}/quotes ${authorization} ${json} -d '${JSON.stringify(rental)}'`,
    ),
    storeField(
      'BOOKING_ID',
      'bookingId',
      `curl -si ${api}/bookings ${authorization} ${json} -H "Idempotency-Key: $QUOTE_ID" -d '{"quoteId":"'$QUOTE_ID'","customer":${JSON.stringify(customer)}}'`,
    ),
    `curl -si ${api}/bookings/$BOOKING_ID ${authorization}; echo`,
  ] as const
}

/** Returns a shell command that prints its output and stores one field of it in a variable. */
function storeField(variable: string, field: string, command: string): string {
  const fieldOf = `sed -n 's/.*"${field}":"\\([^"]*\\).*/\\1/p'`
  return `RESPONSE=$(${command}); printf '%s\\n' "$RESPONSE"; ${variable}=$(printf '%s\\n' "$RESPONSE" | ${fieldOf})`
}

/** Returns a period of three days that begins at 10:00 UTC, a week from now. */
function demoPeriod(now: Date): { pickupDatetime: string; dropoffDatetime: string } {
  const day = (days: number) =>
    `${new Date(now.getTime() + days * dayMs).toISOString().slice(0, 10)}T10:00:00Z`
  return { pickupDatetime: day(daysAhead), dropoffDatetime: day(daysAhead + rentalDays) }
}
