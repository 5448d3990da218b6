import type { Database } from '../db/client.ts'
import { listBookings } from '../services/listBookings.ts'
import { Refusal } from '../services/refusal.ts'
import { resolveBookings } from '../services/resolveIds.ts'
import { type Review, type ReviewedBooking, reviewBooking } from '../services/reviewBooking.ts'
import { bookingTable } from './bookingTable.ts'
import { harmless } from './cell.ts'
import { type Context, command, exampleId } from './command.ts'
import { asOption, bookingIdsHelp, notEmpty, readDuration } from './options.ts'

const reasonOption = ['--reason <text>', 'recorded with the decision', notEmpty] as const

export const bookingsConfirm = decide(
  'confirm',
  'Confirm pending bookings, unless that would overbook their group.',
  [
    `rental bookings confirm ${exampleId}`,
    "rental bookings confirm 4f1c2a9e --force --reason 'van back early' --as Kari",
  ],
)
export const bookingsCancel = decide('cancel', 'Cancel pending or confirmed bookings.', [
  "rental bookings cancel 4f1c2a9e --reason 'customer called'",
])

function decide(decision: Review['decision'], summary: string, examples: readonly string[]) {
  return (context: Context) => {
    const created = command(decision, summary, examples)
      .argument('<id...>', bookingIdsHelp)
      .option(...reasonOption)
      .option(...asOption)
    if (decision === 'confirm') {
      created.option('--force', 'confirm even if no vehicle is left; this is recorded')
    }
    return created.action((ids, { as, ...given }: { reason?: string; force?: true; as?: string }) =>
      decideEach(context, { decision, actor: context.operator(as), ...given }, typed(ids)),
    )
  }
}

export const bookingsReject = (context: Context) =>
  command('reject', 'Reject pending bookings.', [
    "rental bookings reject 4f1c2a9e 7d2b04 --reason 'no vehicle left'",
    'rental bookings reject --tenant fjord-cars --older-than 3d --yes',
  ])
    .argument('[id...]', bookingIdsHelp)
    .option(...reasonOption)
    .option(...asOption)
    .option(
      '--older-than <time>',
      'every booking that has been pending for longer, such as 12h or 3d',
      readDuration,
    )
    .option('--tenant <slug>', 'slug of the tenant, with --older-than')
    .option('--yes', 'with --older-than: reject them; without it they are only listed')
    .action(async (ids, { as, reason = null, olderThan, tenant, yes = false }, self) => {
      if ((olderThan === undefined) !== (tenant === undefined)) {
        self.error('error: --older-than and --tenant belong together')
      }
      if (ids.length === 0 && olderThan === undefined) {
        self.error('error: give the IDs of bookings, or --tenant and --older-than')
      }
      if (ids.length > 0 && olderThan !== undefined) {
        self.error('error: give the IDs of bookings or --older-than, but not both')
      }
      const review = { decision: 'reject', actor: context.operator(as), reason } as const
      if (olderThan === undefined || tenant === undefined) {
        return decideEach(context, review, typed(ids))
      }
      const { io, now, answer, withDatabase } = context
      const madeBefore = new Date(now.getTime() - olderThan * 1_000)
      const waiting = await withDatabase((database) =>
        listBookings(database, tenant, { status: 'pending', madeBefore }, now),
      )
      if (waiting.bookings.length === 0) {
        const text = 'No pending booking has waited that long.\n'
        return answer({ json: waiting.bookings, text })
      }
      if (yes) return decideEach(context, review, async () => waiting.bookings, { asList: true })
      const many = waiting.bookings.length === 1 ? 'this one' : `these ${waiting.bookings.length}`
      const text =
        bookingTable(waiting.bookings, waiting.tenant, now, io.columns) +
        `Nothing was rejected. Add --yes to reject ${many}.\n`
      answer({ json: waiting.bookings, text, ok: false })
    })

/** Finds what was typed; of several ids one that can't be found stops all, and says so. */
const typed = (ids: readonly string[]) => async (database: Database) => {
  try {
    return await resolveBookings(database, ids)
  } catch (error) {
    if (error instanceof Refusal && ids.length > 1) error.message += '\nNothing was changed.'
    throw error
  }
}

/** What came of one of several: `refused` says why nothing did. */
type Outcome =
  | (ReviewedBooking & { readonly refused: null })
  | { readonly id: string; readonly refused: string }

/**
 * Decides about bookings, each in a transaction of its own, and answers with a line for each.
 * `find` looks for them before any is decided. The JSON of a single one is no list, unless `asList`.
 */
async function decideEach(
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
    io.writeError(harmless(outcomes.map(lineOf).join(''), io.columns))
    throw error
  }
  const [first, ...more] = outcomes
  if (!asList && first !== undefined && more.length === 0) {
    if (first.refused !== null) throw new Refusal(first.refused)
    const { refused: _, ...json } = first
    return answer({ json, text: lineOf(first) })
  }
  const ok = outcomes.every(({ refused }) => refused === null)
  answer({ json: outcomes, text: outcomes.map(lineOf).join(''), ok })
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
