import { type Decision, reviewBooking } from '../services/reviewBooking.ts'
import type { Command } from './command.ts'
import { checkId } from './ids.ts'
import { operatorName } from './operatorName.ts'

const exampleId = '4f1c2a9e-6b0d-4c57-9a51-7d1f0c7f5a11'
const reason = { name: 'reason', value: 'TEXT', summary: 'kept with the decision' }

export const bookingsConfirmCommand = reviewCommand(
  'confirm',
  'Confirm a pending booking, unless that would overbook its group.',
  'confirm although no vehicle is left; recorded',
  [
    `rental bookings confirm ${exampleId}`,
    `rental bookings confirm ${exampleId} --force --reason 'van returns early'`,
  ],
)
export const bookingsRejectCommand = reviewCommand(
  'reject',
  'Reject a pending booking.',
  'matters to confirm only',
  [`rental bookings reject ${exampleId} --reason 'no vehicle left'`],
)
export const bookingsCancelCommand = reviewCommand(
  'cancel',
  'Cancel a pending or confirmed booking.',
  'matters to confirm only',
  [`rental bookings cancel ${exampleId} --reason 'customer called'`],
)

function reviewCommand(
  decision: Decision,
  summary: string,
  forceSummary: string,
  examples: readonly string[],
): Command {
  return {
    name: `bookings ${decision}`,
    summary,
    args: ['ID'],
    options: [reason, { name: 'force', summary: forceSummary }],
    examples,
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
