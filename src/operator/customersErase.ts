import { count } from '../domain/counts.ts'
import { eraseCustomer } from '../services/eraseCustomer.ts'
import { Refusal } from '../services/refusal.ts'
import { resolveBooking } from '../services/resolveIds.ts'
import { command, exampleId } from './command.ts'
import type { Context } from './context.ts'
import { asOption, notEmpty } from './options.ts'

export const customersErase = ({ operator, withDatabase, answer }: Context) =>
  command(
    'erase',
    'Erase personal data from one booking, or from all with the same email address.',
    [`rental customers erase ${exampleId}`, 'rental customers erase --email kari@example.com'],
  )
    .argument('[booking-id]', 'ID of the booking, or its first 6 or more characters')
    .option('--email <address>', 'erase all bookings with this email address', notEmpty)
    .option(...asOption)
    .action(async (id, { email, as }, self) => {
      if (id !== undefined && email !== undefined) {
        self.error('error: give a booking or --email, not both')
      }
      if (id === undefined && email === undefined) {
        self.error("error: missing argument 'booking-id' or --email")
      }
      const actor = operator(as)
      const erased = await withDatabase(async (database) => {
        const target =
          email === undefined
            ? { bookingId: (await resolveBooking(database, id ?? '')).id }
            : { email }
        return eraseCustomer(database, target, actor)
      })
      if (email !== undefined && erased.length === 0) {
        throw new Refusal('No booking has this email address: nothing was erased.')
      }
      const text =
        erased.length === 0
          ? 'This booking is erased already.\n'
          : `Erased personal data from ${count(erased.length, 'booking')}.\n`
      answer({ json: { erased }, text })
    })
