import { listTenants, type Tenant } from '../db/tenants.ts'
import { formatPercent, parsePercent } from '../domain/tax.ts'
import { command } from './command.ts'
import type { Context } from './context.ts'
import { table } from './table.ts'

export const tenantsList = ({ io, withDatabase, answer }: Context) =>
  command('list', 'List tenants and the state of their accounts.', ['rental tenants list']).action(
    async () => {
      const tenants = await withDatabase(listTenants)
      answer({ json: tenants.map(presentTenant), text: tenantTable(tenants, io.columns) })
    },
  )

/** A tenant as JSON; the percentage as the fleet file writes it. */
export function presentTenant(tenant: Tenant) {
  return { ...tenant, taxPercent: formatPercent(parsePercent(tenant.taxPercent)) }
}

function tenantTable(tenants: readonly Tenant[], width: number | undefined): string {
  if (tenants.length === 0) return 'No tenants yet. Import a fleet file to create one.\n'
  const rows = tenants.map((tenant) => ({
    SLUG: tenant.slug,
    NAME: tenant.name,
    'TIME ZONE': tenant.timezone,
    CURRENCY: tenant.currency,
    STATUS: tenant.status,
    SUBSCRIPTION: tenant.subscription,
    'ONLINE BOOKING': tenant.onlineBooking ? 'on' : 'off',
  }))
  return table(rows, { whole: ['SLUG'] }, width)
}
