import { eraseCustomer } from '../services/eraseCustomer.ts'
import { command, exampleId } from './command.ts'
import type { Context } from './context.ts'
import { checkId } from './options.ts'

export const customersErase = ({ operator, withDatabase, answer }: Context) =>
  command('erase', 'Remove a person from one booking, or from all under an e-mail address.', [
    `rental customers erase ${exampleId}`,
    'rental customers erase --email kari@example.com',
  ])
    .argument('[booking-id]', 'the booking to erase the person from')
    .option('--email <address>', 'erase every booking under this address')
    .action(async (id, { email }, self) => {
      if (id !== undefined && email !== undefined) {
        self.error('error: give a booking or --email, not both')
      }
      if (id === undefined && email === undefined) {
        self.error("error: missing argument 'booking-id' or --email")
      }
      const target = email === undefined ? { bookingId: checkId('a booking', id) } : { email }
      const erased = await withDatabase((database) => eraseCustomer(database, target, operator))
      answer({ json: { erased }, text: `Erased the customer of ${erased.length} bookings.\n` })
    })
