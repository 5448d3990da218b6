import { eraseCustomer } from '../services/eraseCustomer.ts'
import { command } from './command.ts'
import type { Context } from './context.ts'
import { checkId } from './ids.ts'
import { operatorName } from './operatorName.ts'

export const customersErase = ({ io, withDatabase, answer }: Context) =>
  command('erase', 'Remove a person from one booking, or from all under an e-mail address.', [
    'rental customers erase 4f1c2a9e-6b0d-4c57-9a51-7d1f0c7f5a11',
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
      const actor = operatorName(io.environment)
      const erased = await withDatabase((database) => eraseCustomer(database, target, actor))
      answer({ json: { erased }, text: `Erased the customer of ${erased.length} bookings.\n` })
    })
