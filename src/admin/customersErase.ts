import { type ErasureTarget, eraseCustomer } from '../services/eraseCustomer.ts'
import { type Command, UsageError } from './command.ts'
import { checkId } from './ids.ts'
import { operatorName } from './operatorName.ts'

export const customersEraseCommand: Command = {
  name: 'customers erase',
  summary: 'Remove a person from one booking, or from all under an e-mail address.',
  args: [],
  optionalArgs: ['BOOKING_ID'],
  options: [{ name: 'email', value: 'ADDRESS', summary: 'erase every booking under this address' }],
  examples: [
    'rental customers erase 4f1c2a9e-6b0d-4c57-9a51-7d1f0c7f5a11',
    'rental customers erase --email kari@example.com',
  ],
  async run({ args: [given], options, io, withDatabase }) {
    const target = targetOf(given, options.text('email'))
    const actor = operatorName(io.environment)
    const erased = await withDatabase((database) => eraseCustomer(database, target, actor))
    return { json: { erased }, text: `Erased the customer of ${erased.length} bookings.\n` }
  },
}

function targetOf(bookingId: string | undefined, email: string | undefined): ErasureTarget {
  if (bookingId !== undefined && email !== undefined) {
    throw new UsageError('Give a booking or --email, not both.')
  }
  if (email !== undefined) return { email }
  if (bookingId === undefined) throw new UsageError('BOOKING_ID or --email is missing.')
  return { bookingId: checkId('a booking', bookingId) }
}
