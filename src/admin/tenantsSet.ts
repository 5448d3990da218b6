import { setAccount } from '../services/tenants.ts'
import { type Command, UsageError } from './command.ts'
import { presentTenant, tenantTable } from './tenantsList.ts'

export const tenantsSetCommand: Command = {
  name: 'tenants set',
  summary: "Set the conditions of a tenant's account.",
  args: ['SLUG'],
  options: [
    { name: 'status', value: 'active|suspended', summary: 'suspended refuses all its keys' },
    {
      name: 'subscription',
      value: 'active|past_due|cancelled',
      summary: 'anything but active refuses all its keys',
    },
    { name: 'online-booking', value: 'on|off', summary: 'off refuses all its keys' },
  ],
  examples: [
    'rental tenants set fjord-cars --online-booking off',
    'rental tenants set fjord-cars --status suspended --subscription past_due',
  ],
  async run({ args: [slug = ''], options, io, withDatabase }) {
    const status = options.choice('status', ['active', 'suspended'])
    const subscription = options.choice('subscription', ['active', 'past_due', 'cancelled'])
    const online = options.choice('online-booking', ['on', 'off'])
    const change = {
      ...(status && { status }),
      ...(subscription && { subscription }),
      ...(online && { onlineBooking: online === 'on' }),
    }
    if (Object.keys(change).length === 0) throw new UsageError('Say what to set.')
    const tenant = await withDatabase((database) => setAccount(database, slug, change))
    return { json: presentTenant(tenant), text: tenantTable([tenant], io.columns) }
  },
}
