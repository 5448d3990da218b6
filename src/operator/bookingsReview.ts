import { type Decision, reviewBooking } from '../services/reviewBooking.ts'
import { command, exampleId } from './command.ts'
import type { Context } from './context.ts'
import { checkId } from './options.ts'

interface ReviewOptions {
  readonly reason?: string | null
  readonly force?: boolean
}

export const bookingsConfirm = decide(
  'confirm',
  'Confirm a pending booking, unless that would overbook its group.',
  [
    `rental bookings confirm ${exampleId}`,
    `rental bookings confirm ${exampleId} --force --reason 'van returns early'`,
  ],
)
export const bookingsReject = decide('reject', 'Reject a pending booking.', [
  `rental bookings reject ${exampleId} --reason 'no vehicle left'`,
])
export const bookingsCancel = decide('cancel', 'Cancel a pending or confirmed booking.', [
  `rental bookings cancel ${exampleId} --reason 'customer called'`,
])

function decide(decision: Decision, summary: string, examples: readonly string[]) {
  return ({ operator: actor, withDatabase, answer }: Context) => {
    const created = command(decision, summary, examples)
      .argument('<id>', 'ID of the booking')
      .option('--reason <text>', 'recorded with the decision')
    if (decision === 'confirm') {
      created.option('--force', 'confirm even if no vehicle is left; this is recorded')
    }
    return created.action(async (id, { reason = null, force = false }: ReviewOptions) => {
      const bookingId = checkId('booking', id)
      const review = { bookingId, decision, actor, reason, force }
      const reviewed = await withDatabase((database) => reviewBooking(database, review))
      const overbooked = reviewed.forced ? ', which overbooks its group' : ''
      const text = `Booking ${bookingId} is ${reviewed.status}${overbooked}.\n`
      answer({ json: reviewed, text })
    })
  }
}
