import type { Database } from '../db/client.ts'
import { Refusal } from '../services/refusal.ts'
import { resolveBookings } from '../services/resolveIds.ts'
import { type Decision, type ReviewedBooking, reviewBooking } from '../services/reviewBooking.ts'
import { command, exampleId } from './command.ts'
import type { Context } from './context.ts'
import { asOption } from './options.ts'
import { wrap } from './wrap.ts'

interface DecideOptions {
  readonly reason?: string | null
  readonly force?: boolean
  readonly as?: string
}

/** What came of one of several: `refused` says why nothing did. */
type Outcome = (ReviewedBooking & { readonly refused: null }) | RefusedOne
type RefusedOne = { readonly id: string; readonly refused: string }

export const bookingsConfirm = decide(
  'confirm',
  'Confirm pending bookings, unless that would overbook their group.',
  [
    `rental bookings confirm ${exampleId}`,
    "rental bookings confirm 4f1c2a9e --force --reason 'van returns early' --as Kari",
  ],
)
export const bookingsReject = decide('reject', 'Reject pending bookings.', [
  "rental bookings reject 4f1c2a9e 7d2b04 --reason 'no vehicle left'",
])
export const bookingsCancel = decide('cancel', 'Cancel pending or confirmed bookings.', [
  "rental bookings cancel 4f1c2a9e --reason 'customer called'",
])

function decide(decision: Decision, summary: string, examples: readonly string[]) {
  return ({ io, operator, withDatabase, answer }: Context) => {
    const created = command(decision, summary, examples)
      .argument('<id...>', 'IDs of bookings, or their first 6 or more characters')
      .option('--reason <text>', 'recorded with the decision')
      .option(...asOption)
    if (decision === 'confirm') {
      created.option('--force', 'confirm even if no vehicle is left; this is recorded')
    }
    return created.action(async (ids, { as, ...given }: DecideOptions) => {
      const review = { decision, actor: operator(as), ...given }
      const outcomes: Outcome[] = []
      try {
        await withDatabase((database) => decideEach(database, ids, review, outcomes))
      } catch (error) {
        // What was decided before the database went away stays decided.
        io.writeError(outcomes.map(lineOf).join(''))
        throw error
      }
      const [first, ...more] = outcomes
      if (first !== undefined && more.length === 0) {
        if (first.refused !== null) throw new Refusal(first.refused)
        const { refused: _, ...json } = first
        return answer({ json, text: lineOf(first) })
      }
      const ok = outcomes.every(({ refused }) => refused === null)
      const lines = outcomes.flatMap((each) => wrap(lineOf(each).trim(), io.columns))
      answer({ json: outcomes, text: lines.map((line) => `${line}\n`).join(''), ok })
    })
  }
}

/** Each in a transaction of its own; none before every id is known to be a booking's. */
async function decideEach(
  database: Database,
  ids: readonly string[],
  review: Omit<Parameters<typeof reviewBooking>[1], 'bookingId'>,
  outcomes: Outcome[],
): Promise<void> {
  for (const { id } of await resolveBookings(database, ids)) {
    try {
      const reviewed = await reviewBooking(database, { ...review, bookingId: id })
      outcomes.push({ ...reviewed, refused: null })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      outcomes.push({ id, refused: error.message })
    }
  }
}

function lineOf(outcome: Outcome): string {
  if (outcome.refused !== null) return `${outcome.refused}\n`
  const overbooked = outcome.forced ? ', which overbooks its group' : ''
  return `Booking ${outcome.id} is ${outcome.status}${overbooked}.\n`
}
