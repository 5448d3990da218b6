import { shortId } from '../../domain/ids.ts'
import { pluralize } from '../../domain/pluralize.ts'
import { email } from '../../input/contact.ts'
import { eraseCustomer } from '../../services/bookings/eraseCustomer.ts'
import { OperatorError } from '../../services/operatorError.ts'
import { type Context, command, exampleId } from '../command.ts'
import { asOption, idHelp, optionParser } from '../options.ts'
import { customersEraseOutput } from '../output/bookings.ts'

export const customersErase = ({ operator, withDatabase, withTenant, finish }: Context) =>
  command(
    'erase',
    'Erase personal data from one booking, or from all bookings of a tenant with one email address.',
    [
      `rental customers erase ${exampleId}`,
      'rental customers erase --tenant fjord-cars --email kari@example.com',
    ],
    customersEraseOutput,
  )
    .argument('[booking-id]', idHelp('booking'))
    .option(
      '--email <address>',
      "erase all the tenant's bookings with this address",
      optionParser(email),
    )
    .option(
      '--tenant <slug>',
      'slug of the tenant, with --email; may be left out while there is only one',
    )
    .option(...asOption)
    .action(async (id, { email: address, tenant, as }, self) => {
      if (address === undefined ? id === undefined || tenant !== undefined : id !== undefined) {
        self.error('error: give a booking ID, or --email and --tenant, but not both')
      }
      const erased =
        address === undefined
          ? await withDatabase(eraseCustomer, { bookingId: id ?? '' }, operator(as))
          : await withTenant(tenant, async (database, slug) => {
              const done = await eraseCustomer(database, { slug, email: address }, operator(as))
              if (done.length > 0) return done
              throw new OperatorError(
                `No booking of "${slug}" has this email address: nothing was erased. ` +
                  'Look the address up with `rental bookings list --status all --search WORDS`.',
              )
            })
      finish({ json: { erased }, text: textOf(erased) })
    })

type Erased = Awaited<ReturnType<typeof eraseCustomer>>

/** `again` can be true only for a single booking, given by its ID. */
function textOf(erased: Erased): string {
  const [first] = erased
  if (first === undefined) return 'This booking has already been erased.\n'
  const done = first.again
    ? 'This booking has already been erased. Erased the reasons that staff have added since then.\n'
    : `Erased personal data from ${pluralize(erased.length, 'booking')}.\n`
  return done + erased.map(lineOf).join('')
}

function lineOf({ id, status, open }: Erased[number]): string {
  if (!open) return `${shortId(id)} ${status}\n`
  const ahead = status === 'pending' ? 'a decision' : 'the rental'
  return `${shortId(id)} ${status}: ${ahead} is still to come, and its customer can no longer be contacted\n`
}
