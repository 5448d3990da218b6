import { type Decision, reviewBooking } from '../services/reviewBooking.ts'
import type { Command } from './command.ts'
import { checkId } from './ids.ts'
import { operatorName } from './operatorName.ts'

const reason = { name: 'reason', value: 'TEXT', summary: 'kept with the decision' }

export const bookingsConfirmCommand = reviewCommand(
  'confirm',
  'Confirm a pending booking, unless that would overbook its group.',
  'confirm although no vehicle is left; recorded',
)
export const bookingsRejectCommand = reviewCommand(
  'reject',
  'Reject a pending booking.',
  'matters to confirm only',
)
export const bookingsCancelCommand = reviewCommand(
  'cancel',
  'Cancel a pending or confirmed booking.',
  'matters to confirm only',
)

function reviewCommand(decision: Decision, summary: string, forceSummary: string): Command {
  return {
    name: `bookings ${decision}`,
    summary,
    args: ['ID'],
    options: [reason, { name: 'force', summary: forceSummary }],
    async run({ args: [given], options, io, withDatabase }) {
      const bookingId = checkId('a booking', given)
      const review = {
        bookingId,
        decision,
        actor: operatorName(io.environment),
        reason: options.text('reason') ?? null,
        force: options.flag('force'),
      }
      const reviewed = await withDatabase((database) => reviewBooking(database, review))
      const overbooked = reviewed.forced ? ', which overbooks its group' : ''
      return { json: reviewed, text: `Booking ${bookingId} is ${reviewed.status}${overbooked}.\n` }
    },
  }
}
