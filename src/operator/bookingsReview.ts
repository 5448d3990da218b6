import { type Decision, reviewBooking } from '../services/reviewBooking.ts'
import { command, exampleId } from './command.ts'
import type { Context } from './context.ts'
import { checkId } from './options.ts'

export const bookingsConfirm = decide(
  'confirm',
  'Confirm a pending booking, unless that would overbook its group.',
  'confirm even if no vehicle is left; this is recorded',
  [
    `rental bookings confirm ${exampleId}`,
    `rental bookings confirm ${exampleId} --force --reason 'van returns early'`,
  ],
)
export const bookingsReject = decide(
  'reject',
  'Reject a pending booking.',
  'has no effect; only confirm uses it',
  [`rental bookings reject ${exampleId} --reason 'no vehicle left'`],
)
export const bookingsCancel = decide(
  'cancel',
  'Cancel a pending or confirmed booking.',
  'has no effect; only confirm uses it',
  [`rental bookings cancel ${exampleId} --reason 'customer called'`],
)

function decide(
  decision: Decision,
  summary: string,
  forceSummary: string,
  examples: readonly string[],
) {
  return ({ operator: actor, withDatabase, answer }: Context) =>
    command(decision, summary, examples)
      .argument('<id>', 'ID of the booking')
      .option('--reason <text>', 'recorded with the decision')
      .option('--force', forceSummary)
      .action(async (id, { reason = null, force = false }) => {
        const bookingId = checkId('booking', id)
        const review = { bookingId, decision, actor, reason, force }
        const reviewed = await withDatabase((database) => reviewBooking(database, review))
        const overbooked = reviewed.forced ? ', which overbooks its group' : ''
        const text = `Booking ${bookingId} is ${reviewed.status}${overbooked}.\n`
        answer({ json: reviewed, text })
      })
}
