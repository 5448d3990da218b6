import { InvalidArgumentError } from '@commander-js/extra-typings'
import { z } from 'zod'
import { listTenants, type Tenant } from '../../db/queries/tenants/tenantRows.ts'
import { subscriptions, tenantStatuses } from '../../domain/accountRules.ts'
import { pluralize } from '../../domain/pluralize.ts'
import { fleetFile } from '../../fleet/fleetFile.ts'
import { describeIssue } from '../../input/issues.ts'
import { changeTenant, type TenantSettings, tenantBySlug } from '../../services/tenantTerms.ts'
import { type Context, command } from '../command.ts'
import { tenantOutput, tenantsListOutput } from '../output/fleet.ts'
import { sanitizeJsonForTerminal } from '../terminal/cell.ts'
import { record, table } from '../terminal/table.ts'

export const tenantsList = ({ io, withDatabase, finish }: Context) =>
  command(
    'list',
    'List tenants and the state of their accounts.',
    ['rental tenants list'],
    tenantsListOutput,
  ).action(async () => {
    const tenants = await withDatabase(listTenants)
    const rows = tenants.map((tenant) => ({
      SLUG: tenant.slug,
      NAME: tenant.name,
      'TIME ZONE': tenant.timeZone,
      CURRENCY: tenant.currency,
      STATUS: tenant.status,
      SUBSCRIPTION: tenant.subscription,
      ONLINE: tenant.onlineBooking ? 'on' : 'off',
    }))
    const none = 'No tenants yet. Import a fleet file to create one.\n'
    const text = table(rows, { fixed: ['SLUG'] }, io.columns) || none
    finish({ json: tenants.map(serializeTenant), text })
  })

/** Returns a tenant for JSON, with the time zone as in the fleet file. */
function serializeTenant({ id, slug, name, timeZone, ...terms }: Tenant) {
  return { id, slug, name, timezone: timeZone, ...terms }
}

export const tenantsShow = ({ withDatabase, finish }: Context) =>
  command(
    'show',
    'Show one tenant: its account and its pricing settings.',
    ['rental tenants show fjord-cars'],
    tenantOutput,
  )
    .argument('<slug>', 'slug of the tenant')
    .action(async (slug) => {
      const tenant = await withDatabase(tenantBySlug, slug)
      finish({ json: serializeTenant(tenant), text: tenantPage(tenant) })
    })

function tenantPage(tenant: Tenant): string {
  const { minLeadMinutes, pendingHoldHours, customerRetentionMonths } = tenant
  return record({
    name: tenant.name,
    slug: tenant.slug,
    id: tenant.id,
    status: tenant.status,
    subscription: tenant.subscription,
    'online booking': tenant.onlineBooking ? 'on' : 'off',
    'time zone': tenant.timeZone,
    currency: tenant.currency,
    tax: `${tenant.taxPercent} % ${tenant.pricesIncludeTax ? 'included' : 'on top'}`,
    grace: `${tenant.gracePeriodMinutes} minutes`,
    'lead time':
      minLeadMinutes === null ? 'none (pickups may be in the past)' : `${minLeadMinutes} minutes`,
    seasons: tenant.seasons,
    language: tenant.language,
    'pending hold': pendingHoldHours === null ? 'until staff decide' : `${pendingHoldHours} hours`,
    'customer data':
      customerRetentionMonths === null
        ? 'kept for ever'
        : `erased ${pluralize(customerRetentionMonths, 'month')} after the drop-off`,
  })
}

const { slug: _, ...terms } = fleetFile.shape.tenant.shape
const rejected = 'requests with its keys are rejected'
const settings: Readonly<Record<string, z.ZodType>> = {
  status: z.enum(tenantStatuses).describe(`active, or suspended: ${rejected}`),
  subscription: z.enum(subscriptions).describe(`active, or past_due, cancelled: ${rejected}`),
  onlineBooking: z.boolean().describe(`off: ${rejected}`),
  ...terms,
}

export const tenantsSet = ({ withDatabase, finish }: Context) => {
  const change: Partial<TenantSettings> = {}
  const created = command(
    'set',
    "Change a tenant's account and terms.",
    [
      'rental tenants set fjord-cars --online-booking off',
      'rental tenants set fjord-cars --status suspended --subscription past_due',
      'rental tenants set fjord-cars --pending-hold-hours 48 --seasons pickup',
    ],
    tenantOutput,
  )
    .argument('<slug>', 'slug of the tenant')
    .action(async (slug, _options, self) => {
      if (Object.keys(change).length === 0) self.error('error: give at least one option')
      const { tenant, changed } = await withDatabase(changeTenant, slug, change)
      const ofFile = Object.entries(change).filter(([name]) => name in terms)
      const inFile = sanitizeJsonForTerminal(Object.fromEntries(ofFile), 0).slice(1, -1)
      const note = inFile && `The fleet file also sets this. Write there: ${inFile}\n`
      const same = 'Nothing was changed: the tenant already has these settings.\n'
      finish({ json: serializeTenant(tenant), text: changed ? tenantPage(tenant) + note : same })
    })
  for (const [name, schema] of Object.entries(settings)) {
    const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const value = isSwitch(schema) ? 'on|off' : 'value'
    const help = schema.description?.replace('Null:', 'none:') ?? ''
    created.option(`--${flag} <${value}>`, help, (typed: string) => {
      Object.assign(change, { [name]: parseSetting(schema, typed) })
      return typed
    })
  }
  return created
}

const isSwitch = (schema: z.ZodType) => schema.safeParse(true).success

const words: Readonly<Record<string, unknown>> = { on: true, off: false, none: null }

/** Parses a typed setting: a text, a number, or `on`, `off` and `none` for true, false and null. */
function parseSetting(schema: z.ZodType, typed: string): unknown {
  const other = typed in words ? words[typed] : /^\d+$/.test(typed) ? Number(typed) : Number.NaN
  for (const value of [typed, other]) {
    const { success, data } = schema.safeParse(value)
    if (success) return data
  }
  if (isSwitch(schema)) throw new InvalidArgumentError('It must be on or off.')
  const { error } = schema.safeParse(typed, { error: describeIssue })
  throw new InvalidArgumentError(`It ${error?.issues[0]?.message}.`)
}
