import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../db/client.ts'
import { isDatabaseUnavailable } from '../db/failures.ts'
import { findPending } from '../db/review.ts'
import { keepLooking, pollMs } from './keepLooking.ts'
import { Refusal } from './refusal.ts'
import { type Decision, type ReviewedBooking, reviewBooking } from './reviewBooking.ts'
import { tenantBySlug } from './tenants.ts'
import type { WatchOptions } from './watchBookings.ts'

const actor = 'rehearsal'

/** What becomes of a booking whose note says so; of any other: it is confirmed. */
const rules: readonly (readonly [note: RegExp, decisions: readonly Decision[]])[] = [
  [/reject me/i, ['reject']],
  [/cancel me/i, ['confirm', 'cancel']],
  [/leave me/i, []],
]

interface Rehearsal extends Omit<WatchOptions, 'since'> {
  /** How long after it was made a booking is decided. */
  readonly afterMs: number
  now(): Date
}

/**
 * Decides each pending booking of a sandbox some time after it was made, as its note asks, until
 * the signal is aborted; what can't be confirmed is rejected (decision 409).
 * @throws Refusal for a tenant that is no sandbox: nothing but people decides there
 */
export async function* rehearse(
  database: Database,
  slug: string,
  { afterMs, now, onStart, ...looking }: Rehearsal,
): AsyncGenerator<ReviewedBooking> {
  const tenant = await tenantBySlug(database, slug)
  if (!tenant.sandbox) {
    throw new Refusal(
      `"${slug}" is not a sandbox: its bookings are decided by people. To get one, import examples/sandbox.json.`,
    )
  }
  onStart(tenant)
  let seen = new Set<string>()
  for await (const pending of keepLooking(() => findPending(database, tenant.id), looking)) {
    for (const { id, createdAt, notes } of pending.filter((one) => !seen.has(one.id))) {
      const waitMs = Math.min(afterMs, Math.max(0, createdAt.getTime() + afterMs - now().getTime()))
      await pause(waitMs, looking.signal)
      for (const decision of decisionsFor(notes ?? '')) {
        if (looking.signal.aborted) return
        const decided = await decide(database, id, decision, looking.signal)
        if (decided !== undefined) yield decided
      }
    }
    seen = new Set(pending.map(({ id }) => id))
  }
}

function decisionsFor(notes: string): readonly Decision[] {
  const [, decisions] = rules.find(([asked]) => asked.test(notes)) ?? []
  return decisions ?? ['confirm']
}

/** Undefined when somebody else was faster, or the signal was. */
async function decide(
  database: Database,
  bookingId: string,
  decision: Decision,
  signal: AbortSignal,
): Promise<ReviewedBooking | undefined> {
  while (!signal.aborted) {
    try {
      return await reviewBooking(database, { bookingId, decision, actor, reason: 'rehearsed' })
    } catch (error) {
      if (isDatabaseUnavailable(error)) await pause(pollMs, signal)
      else if (!(error instanceof Refusal)) throw error
      else if (decision !== 'confirm') return undefined
      else return decide(database, bookingId, 'reject', signal)
    }
  }
  return undefined
}

const pause = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal }).catch(() => {})
