import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { subscriptions, tenantStatuses } from '../domain/access.ts'
import { seasonsChoices } from '../domain/stretches.ts'
import { fleetFile } from '../fleet/fleetFile.ts'
import { changeTenant } from '../services/tenants.ts'
import { command } from './command.ts'
import type { Context } from './context.ts'
import { presentTenant } from './tenantsList.ts'
import { tenantPage } from './tenantsShow.ts'

export const tenantsSet = ({ withDatabase, answer }: Context) =>
  command('set', "Change a tenant's account and terms.", [
    'rental tenants set fjord-cars --online-booking off',
    'rental tenants set fjord-cars --status suspended --subscription past_due',
    'rental tenants set fjord-cars --pending-hold-hours 48 --seasons pickup',
  ])
    .argument('<slug>', 'slug of the tenant')
    .addOption(
      new Option('--status <status>', 'suspended: its keys are refused').choices(tenantStatuses),
    )
    .addOption(
      new Option('--subscription <status>', 'past_due or cancelled: its keys are refused').choices(
        subscriptions,
      ),
    )
    .addOption(
      new Option('--online-booking <switch>', 'off: its keys are refused').choices(['on', 'off']),
    )
    .option(
      '--pending-hold-hours <hours>',
      'how long a pending booking counts as taken; none: until staff decide',
      holdHours,
    )
    .addOption(
      new Option(
        '--seasons <which>',
        'which rate prices a day: its own, or that of the pickup',
      ).choices(seasonsChoices),
    )
    .action(async (slug, options, self) => {
      if (Object.keys(options).length === 0) self.error('error: give at least one option')
      const { onlineBooking, pendingHoldHours: hold, ...given } = options
      const change = {
        ...given,
        ...(onlineBooking && { onlineBooking: onlineBooking === 'on' }),
        ...(hold && { pendingHoldHours: hold.hours }),
      }
      const tenant = await withDatabase((database) => changeTenant(database, slug, change))
      const both = [hold && 'pendingHoldHours', given.seasons && 'seasons'].filter(Boolean)
      const note =
        both.length === 0
          ? ''
          : `The fleet file decides this, too: give its ${both.join(' and ')} the same value.\n`
      answer({ json: presentTenant(tenant), text: tenantPage(tenant) + note })
    })

/** As the fleet file has it, or `none`; in an object, since commander replaces a bare null. */
function holdHours(typed: string): { readonly hours: number | null } {
  const hours = typed === 'none' ? null : /^\d+$/.test(typed) ? Number(typed) : Number.NaN
  const { success, data } = fleetFile.shape.tenant.shape.pendingHoldHours.safeParse(hours)
  if (success) return { hours: data }
  throw new InvalidArgumentError('Use a whole number of hours up to a year, or none.')
}
