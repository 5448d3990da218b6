import { Option } from '@commander-js/extra-typings'
import { subscriptions, tenantStatuses } from '../domain/access.ts'
import { setAccount } from '../services/tenants.ts'
import { command } from './command.ts'
import type { Context } from './context.ts'
import { presentTenant, tenantTable } from './tenantsList.ts'

export const tenantsSet = ({ io, withDatabase, answer }: Context) =>
  command('set', "Change a tenant's account.", [
    'rental tenants set fjord-cars --online-booking off',
    'rental tenants set fjord-cars --status suspended --subscription past_due',
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
    .action(async (slug, options, self) => {
      if (Object.keys(options).length === 0) self.error('error: give at least one option')
      const { onlineBooking, ...account } = options
      const change = { ...account, ...(onlineBooking && { onlineBooking: onlineBooking === 'on' }) }
      const tenant = await withDatabase((database) => setAccount(database, slug, change))
      answer({ json: presentTenant(tenant), text: tenantTable([tenant], io.columns) })
    })
