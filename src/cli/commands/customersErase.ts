import { shortId } from '../../domain/ids.ts'
import { pluralize } from '../../domain/pluralize.ts'
import { email } from '../../input/contact.ts'
import { BookingsAheadError, eraseCustomer } from '../../services/bookings/eraseCustomer.ts'
import { OperatorError } from '../../services/operatorError.ts'
import { type Context, command, exampleId } from '../command.ts'
import { asOption, idHelp, optionParser } from '../options.ts'

export const customersErase = ({ io, operator, withDatabase, withTenant, finish }: Context) =>
  command(
    'erase',
    'Erase personal data from one booking, or from all bookings of a tenant with one email address.',
    [
      `rental customers erase ${exampleId}`,
      'rental customers erase --tenant fjord-cars --email kari@example.com',
    ],
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
    .option('--yes', 'erase bookings that are still ahead without asking')
    .option(...asOption)
    .action(async (id, { email: address, tenant, as, yes = false }, self) => {
      if (address === undefined ? id === undefined || tenant !== undefined : id !== undefined) {
        self.error('error: give a booking ID, or --email and --tenant, but not both')
      }
      const actor = operator(as)
      const erase = (allowAhead: boolean) =>
        address === undefined
          ? withDatabase(eraseCustomer, { bookingId: id ?? '' }, actor, allowAhead)
          : withTenant(tenant, async (database, slug) => {
              const target = { slug, email: address }
              const done = await eraseCustomer(database, target, actor, allowAhead)
              if (done.length > 0) return done
              throw new OperatorError(
                `No booking of "${slug}" has this email address: nothing was erased. ` +
                  'Look the address up with `rental bookings list --status all --search WORDS`.',
              )
            })
      const erased = await erase(yes).catch(async (error: unknown) => {
        if (!(error instanceof BookingsAheadError)) throw error
        const warning = `The customer could no longer be contacted about what is still to come:\n${error.erased.map(lineOf).join('')}`
        if (await io.ask?.(`${warning}Erase anyway?`)) return erase(true)
        throw new OperatorError(
          `${warning}Nothing was erased. To erase anyway, run the command again with --yes.`,
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
    ? 'This booking has already been erased. Erased the reasons and messages that staff have added since then.\n'
    : `Erased personal data from ${pluralize(erased.length, 'booking')}.\n`
  return done + erased.map(lineOf).join('')
}

function lineOf({ id, status, open }: Erased[number]): string {
  if (!open) return `${shortId(id)} ${status}\n`
  return `${shortId(id)} ${status}: ${status === 'pending' ? 'a decision' : 'the rental'} is still to come\n`
}
