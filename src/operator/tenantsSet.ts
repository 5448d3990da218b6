import { Option } from '@commander-js/extra-typings'
import { setAccount } from '../services/tenants.ts'
import { command } from './command.ts'
import type { Context } from './context.ts'
import { presentTenant, tenantTable } from './tenantsList.ts'

export const tenantsSet = ({ io, withDatabase, answer }: Context) =>
  command('set', "Set the conditions of a tenant's account.", [
    'rental tenants set fjord-cars --online-booking off',
    'rental tenants set fjord-cars --status suspended --subscription past_due',
  ])
    .argument('<slug>', "the tenant's")
    .addOption(
      new Option('--status <status>', 'suspended refuses all its keys').choices([
        'active',
        'suspended',
      ]),
    )
    .addOption(
      new Option('--subscription <status>', 'anything but active refuses all its keys').choices([
        'active',
        'past_due',
        'cancelled',
      ]),
    )
    .addOption(
      new Option('--online-booking <switch>', 'off refuses all its keys').choices(['on', 'off']),
    )
    .action(async (slug, options, self) => {
      if (Object.keys(options).length === 0) self.error('error: say what to set')
      const { onlineBooking, ...account } = options
      const change = { ...account, ...(onlineBooking && { onlineBooking: onlineBooking === 'on' }) }
      const tenant = await withDatabase((database) => setAccount(database, slug, change))
      answer({ json: presentTenant(tenant), text: tenantTable([tenant], io.columns) })
    })
