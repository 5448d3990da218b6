import type { Database } from '../db/client.ts'
import { Refusal } from '../services/refusal.ts'
import { type Review, type ReviewedBooking, reviewBooking } from '../services/reviewBooking.ts'
import { wrap } from './cell.ts'
import type { Context } from './context.ts'

/** What came of one of several: `refused` says why nothing did. */
type Outcome = (ReviewedBooking & { readonly refused: null }) | RefusedOne
type RefusedOne = { readonly id: string; readonly refused: string }

/**
 * Decides about bookings, each in a transaction of its own, and answers with a line for each.
 * `find` looks for them before any is decided. The JSON of a single one is no list, unless `asList`.
 */
export async function decideEach(
  { io, withDatabase, answer }: Context,
  review: Omit<Review, 'bookingId'>,
  find: (database: Database) => Promise<readonly { readonly id: string }[]>,
  { asList = false } = {},
): Promise<void> {
  const outcomes: Outcome[] = []
  try {
    await withDatabase(async (database) => {
      for (const { id } of await find(database)) {
        outcomes.push(await decideOne(database, { ...review, bookingId: id }))
      }
    })
  } catch (error) {
    // What was decided before the database went away stays decided.
    io.writeError(outcomes.map(lineOf).join(''))
    throw error
  }
  const [first, ...more] = outcomes
  if (!asList && first !== undefined && more.length === 0) {
    if (first.refused !== null) throw new Refusal(first.refused)
    const { refused: _, ...json } = first
    return answer({ json, text: lineOf(first) })
  }
  const ok = outcomes.every(({ refused }) => refused === null)
  const lines = outcomes.flatMap((each) => wrap(lineOf(each).trim(), io.columns))
  answer({ json: outcomes, text: lines.map((line) => `${line}\n`).join(''), ok })
}

async function decideOne(database: Database, review: Review): Promise<Outcome> {
  try {
    return { ...(await reviewBooking(database, review)), refused: null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { id: review.bookingId, refused: error.message }
  }
}

function lineOf(outcome: Outcome): string {
  if (outcome.refused !== null) return `${outcome.refused}\n`
  const overbooked = outcome.forced ? ', which overbooks its group' : ''
  return `Booking ${outcome.id} is ${outcome.status}${overbooked}.\n`
}
