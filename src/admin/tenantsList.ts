import { listTenants, type Tenant } from '../db/tenants.ts'
import { formatPercent, parsePercent } from '../domain/tax.ts'
import type { Command } from './command.ts'
import { table } from './table.ts'

export const tenantsListCommand: Command = {
  name: 'tenants list',
  summary: 'All tenants and the conditions of their accounts.',
  args: [],
  options: [],
  examples: ['rental tenants list'],
  async run({ io, withDatabase }) {
    const tenants = await withDatabase(listTenants)
    return { json: tenants.map(presentTenant), text: tenantTable(tenants, io.columns) }
  },
}

/** A tenant as JSON; the percentage as the fleet file writes it. */
export function presentTenant(tenant: Tenant) {
  return { ...tenant, taxPercent: formatPercent(parsePercent(tenant.taxPercent)) }
}

/** Tenants as a table. */
export function tenantTable(tenants: readonly Tenant[], width: number | undefined): string {
  if (tenants.length === 0) return 'There is no tenant yet: import a fleet file.\n'
  const rows = tenants.map(({ onlineBooking, ...tenant }) => ({
    ...tenant,
    onlineBooking: onlineBooking ? 'on' : 'off',
  }))
  const columns = [
    { field: 'slug', title: 'SLUG', whole: true },
    { field: 'name', title: 'NAME' },
    { field: 'timezone', title: 'TIME ZONE' },
    { field: 'currency', title: 'CURRENCY' },
    { field: 'status', title: 'STATUS' },
    { field: 'subscription', title: 'SUBSCRIPTION' },
    { field: 'onlineBooking', title: 'ONLINE BOOKING' },
  ] as const
  return table(rows, columns, width)
}
