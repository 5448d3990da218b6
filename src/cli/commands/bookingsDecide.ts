import type { Database } from '../../db/connection/database.ts'
import { decisionMessage } from '../../input/bookingDetails.ts'
import { paragraph } from '../../input/fields.ts'
import {
  type Review,
  type ReviewedBooking,
  reviewBooking,
} from '../../services/bookings/reviewBooking.ts'
import { OperatorError } from '../../services/operatorError.ts'
import { resolveBookings } from '../../services/resolveIds.ts'
import { type Context, command, exampleId } from '../command.ts'
import { asOption, bookingIdsHelp, optionParser } from '../options.ts'
import { fullName } from '../terminal/bookingTable.ts'
import { sanitizeForTerminal } from '../terminal/cell.ts'
import { longTime } from '../terminal/dates.ts'

const decisionCommand = (
  decision: Review['decision'],
  summary: string,
  examples: readonly string[],
) =>
  command(decision, summary, examples)
    .argument('<id...>', bookingIdsHelp)
    .option(
      '--reason <text>',
      'recorded with the decision, for staff only',
      optionParser(paragraph),
    )
    .option(
      '--message <text>',
      'shown to the customer with the new status',
      optionParser(decisionMessage),
    )
    .option(...asOption)

type Options = Pick<Review, 'reason' | 'message' | 'force'> & { readonly as?: string | undefined }

const decide =
  (context: Context, decision: Review['decision']) =>
  (ids: readonly string[], { as, ...given }: Options) =>
    decideEach(context, { decision, actor: context.operator(as), ...given }, ids)

export const bookingsConfirm = (context: Context) =>
  decisionCommand(
    'confirm',
    'Confirm pending bookings. Fails for a booking if no vehicle is left.',
    [
      `rental bookings confirm ${exampleId}`,
      "rental bookings confirm 4f1c2a9e --force --reason 'van back early' --as Kari",
    ],
  )
    .option('--force', 'confirm even if no vehicle is left; this is recorded')
    .action(decide(context, 'confirm'))

export const bookingsCancel = (context: Context) =>
  decisionCommand('cancel', 'Cancel pending or confirmed bookings.', [
    "rental bookings cancel 4f1c2a9e --reason 'customer called'",
  ]).action(decide(context, 'cancel'))

export const bookingsReject = (context: Context) =>
  decisionCommand('reject', 'Reject pending bookings.', [
    "rental bookings reject 4f1c2a9e 7d2b04 --reason 'no vehicle left'",
    "rental bookings reject 4f1c2a9e --message 'Try the week after.'",
  ]).action(decide(context, 'reject'))

/** The result for one booking. `refused` is the reason why the booking is unchanged. */
type Outcome =
  | (ReviewedBooking & { readonly refused: null })
  | { readonly id: string; readonly refused: string }

/**
 * Decides on bookings, each in its own transaction, after all IDs have been found. The JSON output
 * is an object for one booking, and an array for several.
 */
async function decideEach(
  { io, withDatabase, finish }: Context,
  review: Omit<Review, 'bookingId'>,
  ids: readonly string[],
): Promise<void> {
  const outcomes: Outcome[] = []
  try {
    await withDatabase(async (database) => {
      for (const { id } of await resolveBookings(database, ids)) {
        outcomes.push(await decideOne(database, { ...review, bookingId: id }))
      }
    })
  } catch (error) {
    // Report the decisions that were committed before the database became unavailable.
    io.writeError(sanitizeForTerminal(outcomes.map(lineOf).join('')))
    if (error instanceof OperatorError && ids.length > 1) error.message += '\nNothing was changed.'
    throw error
  }
  const [first, ...more] = outcomes
  if (first !== undefined && more.length === 0) {
    if (first.refused !== null) throw new OperatorError(first.refused)
    const { refused: _, ...json } = documentOf(first)
    return finish({ json, text: lineOf(first) })
  }
  const ok = outcomes.every(({ refused }) => refused === null)
  finish({ json: outcomes.map(documentOf), text: outcomes.map(lineOf).join(''), ok })
}

async function decideOne(database: Database, review: Review): Promise<Outcome> {
  try {
    return { ...(await reviewBooking(database, review)), refused: null }
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return { id: review.bookingId, refused: error.message }
  }
}

function documentOf(outcome: Outcome) {
  if (outcome.refused !== null) return outcome
  const { booking: _, ...document } = outcome
  return document
}

/** Formats the new status, with the customer, the vehicle class, and when and where it begins. */
function lineOf(outcome: Outcome): string {
  if (outcome.refused !== null) return `${outcome.refused}\n`
  const { groupName, pickupAt, timeZone, details } = outcome.booking
  const { customer, pickupLocation } = details
  const pickup = longTime(pickupAt, timeZone)
  const facts = [fullName(customer), customer.phone, groupName, pickup, pickupLocation]
  const overbooked = outcome.forced ? ', which overbooks its group' : ''
  return `Booking ${outcome.id} is ${outcome.status}${overbooked}: ${facts.filter(Boolean).join(', ')}.\n`
}
