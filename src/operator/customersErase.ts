import { sayCount } from '../domain/counts.ts'
import { shortId } from '../domain/ids.ts'
import { type ErasureTarget, eraseCustomer } from '../services/eraseCustomer.ts'
import { Refusal } from '../services/refusal.ts'
import { type Context, command, exampleId } from './command.ts'
import { asOption, idHelp, notEmpty } from './options.ts'

export const customersErase = ({ operator, withDatabase, answer }: Context) =>
  command(
    'erase',
    'Erase personal data from one booking, or from all of a tenant with the same email address.',
    [
      `rental customers erase ${exampleId}`,
      'rental customers erase --tenant fjord-cars --email kari@example.com',
    ],
  )
    .argument('[booking-id]', idHelp('booking'))
    .option('--email <address>', "erase all the tenant's bookings with this address", notEmpty)
    .option('--tenant <slug>', 'slug of the tenant, with --email')
    .option(...asOption)
    .action(async (id, { email, tenant, as }, self) => {
      if ((id === undefined) === (email === undefined)) {
        self.error('error: give a booking ID or --email, but not both')
      }
      if ((email === undefined) !== (tenant === undefined)) {
        self.error('error: --email and --tenant belong together')
      }
      const target: ErasureTarget =
        email === undefined || tenant === undefined
          ? { bookingId: id ?? '' }
          : { slug: tenant, email }
      const actor = operator(as)
      const erased = await withDatabase(eraseCustomer, target, actor)
      if (email !== undefined && erased.length === 0) {
        throw new Refusal(`No booking of "${tenant}" has this email address: nothing was erased.`)
      }
      answer({ json: { erased }, text: textOf(erased) })
    })

type Erased = Awaited<ReturnType<typeof eraseCustomer>>

/** Only one booking that is named by its id can be erased again. */
function textOf(erased: Erased): string {
  const [first] = erased
  if (first === undefined) return 'This booking has already been erased.\n'
  const done = first.again
    ? 'This booking has already been erased. Erased what staff have written about it since.\n'
    : `Erased personal data from ${sayCount(erased.length, 'booking')}.\n`
  return done + erased.map(lineOf).join('')
}

function lineOf({ id, status, open }: Erased[number]): string {
  const ahead = status === 'pending' ? 'a decision' : 'the rental'
  const left = open
    ? `: ${ahead} is still to come, and its customer can no longer be contacted`
    : ''
  return `${shortId(id)} ${status}${left}\n`
}
