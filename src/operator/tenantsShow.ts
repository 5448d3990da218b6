import type { Tenant } from '../db/tenants.ts'
import { tenantBySlug } from '../services/tenants.ts'
import { shown } from './cell.ts'
import { command } from './command.ts'
import type { Context } from './context.ts'
import { presentTenant } from './tenantsList.ts'

export const tenantsShow = ({ withDatabase, answer }: Context) =>
  command('show', 'Show one tenant: its account and its terms.', ['rental tenants show fjord-cars'])
    .argument('<slug>', 'slug of the tenant')
    .action(async (slug) => {
      const tenant = await withDatabase((database) => tenantBySlug(database, slug))
      answer({ json: presentTenant(tenant), text: tenantPage(tenant) })
    })

/** A tenant in lines, in the words of the options and of the fleet file. */
export function tenantPage(tenant: Tenant): string {
  const { taxPercent } = presentTenant(tenant)
  const { minLeadMinutes, pendingHoldHours } = tenant
  const lines = {
    name: shown(tenant.name),
    slug: tenant.slug + (tenant.sandbox ? ' (sandbox)' : ''),
    id: tenant.id,
    status: tenant.status,
    subscription: tenant.subscription,
    'online booking': tenant.onlineBooking ? 'on' : 'off',
    'time zone': tenant.timezone,
    currency: tenant.currency,
    tax: `${taxPercent} % ${tenant.pricesIncludeTax ? 'included' : 'on top'}`,
    grace: `${tenant.gracePeriodMinutes} minutes`,
    'lead time':
      minLeadMinutes === null ? 'none: pickups may be past' : `${minLeadMinutes} minutes`,
    seasons: tenant.seasons,
    'pending hold': pendingHoldHours === null ? 'until staff decide' : `${pendingHoldHours} hours`,
  }
  return Object.entries(lines)
    .map(([name, value]) => `${name.padEnd(15)} ${value}\n`)
    .join('')
}
