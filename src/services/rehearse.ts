import type { Database } from '../db/client.ts'
import { isDatabaseUnavailable } from '../db/failures.ts'
import { findPending } from '../db/review.ts'
import { keepLooking } from './keepLooking.ts'
import { Refusal } from './refusal.ts'
import { type Decision, type ReviewedBooking, reviewBooking } from './reviewBooking.ts'
import { tenantBySlug } from './tenants.ts'
import type { WatchOptions } from './watchBookings.ts'

const actor = 'rehearsal'

/** What a note asks for; a booking with any other note, or none, is confirmed. */
const rules: readonly (readonly [note: RegExp, decisions: readonly Decision[]])[] = [
  [/reject me/i, ['reject']],
  [/cancel me/i, ['confirm', 'cancel']],
  [/leave me/i, []],
]

interface Rehearsal extends Omit<WatchOptions, 'since'> {
  /** How long after it was made a booking is decided. */
  readonly afterMs: number
}

/**
 * Decides each pending booking of a sandbox some time after it was made, as its note asks, until
 * the signal is aborted; what can't be confirmed is rejected (decision 409).
 * @throws Refusal for a tenant that is no sandbox: nothing but people decides there
 */
export async function* rehearse(
  database: Database,
  slug: string,
  { afterMs, onStart, ...looking }: Rehearsal,
): AsyncGenerator<ReviewedBooking> {
  const tenant = await tenantBySlug(database, slug)
  if (!tenant.sandbox) {
    throw new Refusal(
      `"${slug}" is not a sandbox: its bookings are decided by people. To get one, import examples/sandbox.json.`,
    )
  }
  onStart(tenant)
  const todo: Step[] = []
  // One decision a look: if the database goes away, it has been told, and the rest is still to do.
  const decideNext = async () => {
    if (todo.length === 0) {
      for (const { id, notes } of await findPending(database, tenant.id, afterMs)) {
        for (const decision of decisionsFor(notes ?? '')) todo.push([id, decision])
      }
    }
    for (let next = todo[0]; next !== undefined; next = todo[0]) {
      const decided = await decide(database, next)
      todo.shift()
      if (decided.length > 0) return decided
    }
    return []
  }
  for await (const decided of keepLooking(decideNext, looking)) yield* decided
}

function decisionsFor(notes: string): readonly Decision[] {
  const [, decisions] = rules.find(([asked]) => asked.test(notes)) ?? []
  return decisions ?? ['confirm']
}

type Step = readonly [bookingId: string, decision: Decision]

/** None when somebody else was faster. */
async function decide(database: Database, [bookingId, decision]: Step): Promise<ReviewedBooking[]> {
  try {
    return [await reviewBooking(database, { bookingId, decision, actor, reason: 'rehearsed' })]
  } catch (error) {
    // An import that changes the group passes, like a database that is away.
    if (!(error instanceof Refusal) || isDatabaseUnavailable(error)) throw error
    return decision === 'confirm' ? decide(database, [bookingId, 'reject']) : []
  }
}
