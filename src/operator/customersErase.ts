import { eraseCustomer } from '../services/eraseCustomer.ts'
import { command, exampleId } from './command.ts'
import type { Context } from './context.ts'
import { checkId, count } from './options.ts'

export const customersErase = ({ operator, withDatabase, answer }: Context) =>
  command('erase', 'Erase personal data from one booking, or from all with an email address.', [
    `rental customers erase ${exampleId}`,
    'rental customers erase --email kari@example.com',
  ])
    .argument('[booking-id]', 'ID of the booking')
    .option('--email <address>', 'erase all bookings with this email address')
    .action(async (id, { email }, self) => {
      if (id !== undefined && email !== undefined) {
        self.error('error: give a booking or --email, not both')
      }
      if (id === undefined && email === undefined) {
        self.error("error: missing argument 'booking-id' or --email")
      }
      const target = email === undefined ? { bookingId: checkId('booking', id) } : { email }
      const erased = await withDatabase((database) => eraseCustomer(database, target, operator))
      answer({
        json: { erased },
        text: `Erased personal data from ${count(erased.length, 'booking')}.\n`,
      })
    })
