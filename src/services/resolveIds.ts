import type { Database } from '../db/connection/database.ts'
import type { RowKey } from '../db/connection/statement.ts'
import {
  findBookingsInRange,
  findKeysInRange,
  findQuotesInRange,
} from '../db/queries/maintenance/idRanges.ts'
import { type IdRange, idPrefixMin, idRange } from '../domain/ids.ts'
import { localMinute } from '../domain/pricing/period.ts'
import { expectOne, UsageError, unknownId } from './operatorError.ts'

type Found = Awaited<ReturnType<typeof findQuotesInRange>>[number] & { status?: string }

/**
 * Returns the booking whose id begins with the typed text.
 * @throws OperatorError for none or several; UsageError if no id can begin with the text
 */
export async function resolveBooking(database: Database, typed: string): Promise<RowKey> {
  const found = await findBookingsInRange(database, rangeOf('booking', typed))
  return onlyOf('booking', typed, found, describeFound)
}

/**
 * Returns the bookings whose ids begin with the typed texts, each once.
 * @throws OperatorError as `resolveBooking`
 */
export async function resolveBookings(database: Database, typed: readonly string[]) {
  const keys = new Map<string, RowKey>()
  for (const one of typed) {
    const key = await resolveBooking(database, one)
    keys.set(key.id, key)
  }
  return [...keys.values()]
}

/**
 * Returns the quote whose id, or whose booking's id, begins with the typed text.
 * @throws OperatorError for none or several
 */
export async function resolveQuote(database: Database, typed: string): Promise<RowKey> {
  const range = rangeOf('quote or booking', typed)
  const [ofBookings, quotes] = await Promise.all([
    findBookingsInRange(database, range),
    findQuotesInRange(database, range),
  ])
  const booked = ofBookings.filter(({ quoteId }) => quotes.every(({ id }) => id !== quoteId))
  const found = [...booked, ...quotes]
  const { tenantId, id } = onlyOf('quote or booking', typed, found, describeFound)
  return { tenantId, id: booked[0]?.quoteId ?? id }
}

/**
 * Returns the API key whose id begins with the typed text, and its tenant.
 * @throws OperatorError for none or several
 */
export async function resolveKey(database: Database, typed: string) {
  const found = await findKeysInRange(database, rangeOf('API key', typed))
  return onlyOf('API key', typed, found, ({ name }) => name)
}

const describeFound = ({ status = 'quote', pickupAt, timeZone }: Found) =>
  `${status.padEnd(9)}  ${localMinute(pickupAt, timeZone)}`

function rangeOf(what: string, typed: string): IdRange {
  const range = idRange(typed)
  if (range !== undefined) return range
  if (typed.includes('pk_live_')) {
    // The message must not contain the secret, because output is often logged.
    throw new UsageError(
      'This is the secret of an API key, not an ID. `rental keys list` shows the IDs.',
    )
  }
  throw new UsageError(
    `"${typed}" is not a valid ${what} ID. Type the whole ID, or at least its first ${idPrefixMin} characters.`,
  )
}

function onlyOf<T extends RowKey & { readonly slug: string }>(
  what: string,
  typed: string,
  found: readonly T[],
  describe: (candidate: T) => string,
): T {
  const several = `Several IDs begin with "${typed}". Type more characters:`
  const lineOf = (one: T) => `${one.id}  ${describe(one)}  ${one.slug}`
  return expectOne(found, unknownId(what, typed), several, lineOf)
}
