import { InvalidArgumentError } from '@commander-js/extra-typings'
import { z } from 'zod'
import { listTenants, type Tenant } from '../../db/queries/tenants/tenantRows.ts'
import { subscriptions, tenantStatuses } from '../../domain/accountRules.ts'
import { pluck } from '../../domain/pluck.ts'
import { toFileFormat } from '../../fleet/columns.ts'
import { formatSpecialDays, formatWeek } from '../../fleet/describeHours.ts'
import { type FleetField, tenantFields } from '../../fleet/fields.ts'
import { describeIssue } from '../../input/issues.ts'
import { changeTenant, type TenantSettings, tenantBySlug } from '../../services/tenantTerms.ts'
import { type Context, command } from '../command.ts'
import { inOneLine, sanitizeJsonForTerminal } from '../terminal/cell.ts'
import { record, table } from '../terminal/table.ts'

export const tenantsList = ({ io, withDatabase, finish }: Context) =>
  command('list', 'List tenants and the state of their accounts.', ['rental tenants list']).action(
    async () => {
      const tenants = await withDatabase(listTenants)
      const rows = tenants.map((tenant) => ({
        SLUG: tenant.slug,
        NAME: tenant.name,
        'TIME ZONE': tenant.timeZone,
        CURRENCY: tenant.currency,
        STATUS: tenant.status,
        SUBSCRIPTION: tenant.subscription,
        ONLINE: wordOf(tenant.onlineBooking),
      }))
      const none = 'No tenants yet. Import a fleet file to create one.\n'
      const text = table(rows, { fixed: ['SLUG'] }, io.columns) || none
      finish({ json: tenants.map(serializeTenant), text })
    },
  )

/** Returns a tenant for JSON, with its terms as in the fleet file. */
function serializeTenant(tenant: Tenant) {
  const { id, slug, status, subscription, onlineBooking, createdAt } = tenant
  const terms = toFileFormat.tenant(tenant)
  return { id, slug, ...terms, status, subscription, onlineBooking, createdAt }
}

export const tenantsShow = ({ withDatabase, finish }: Context) =>
  command('show', 'Show one tenant: its account and its pricing settings.', [
    'rental tenants show fjord-cars',
  ])
    .argument('<slug>', 'slug of the tenant')
    .action(async (slug) => {
      const tenant = await withDatabase(tenantBySlug, slug)
      finish({ json: serializeTenant(tenant), text: tenantPage(tenant) })
    })

const words: Readonly<Record<string, unknown>> = { on: true, off: false, none: null }
const wordOf = (value: unknown) =>
  Object.keys(words).find((word) => words[word] === value) ?? (inOneLine(value) || 'none')

function tenantPage(tenant: Tenant): string {
  const { slug, id, status, subscription, onlineBooking } = tenant
  const terms = Object.entries(toFileFormat.tenant(tenant)).flatMap(([name, value]) => {
    const { title } = tenantFields[name as keyof typeof tenantFields]
    return title === null ? [] : [[title.toLowerCase(), wordOf(value)]]
  })
  const account = { slug, id, status, subscription, 'online booking': wordOf(onlineBooking) }
  const hours = {
    'opening hours': formatWeek(tenant.openingHours),
    'special days': formatSpecialDays(tenant.specialDays),
  }
  return record({ ...account, ...Object.fromEntries(terms), ...hours })
}

/** The lists and the texts for customers are changed by an import only. */
const settableFields = Object.fromEntries(
  Object.entries<FleetField>(tenantFields).filter(
    ([, { title, translatable }]) => title !== null && !translatable,
  ),
)

const rejected = 'requests with its keys are rejected'
const settings: Readonly<Record<string, z.ZodType>> = {
  status: z.enum(tenantStatuses).describe(`active, or suspended: ${rejected}`),
  subscription: z.enum(subscriptions).describe(`active, or past_due, cancelled: ${rejected}`),
  onlineBooking: z.boolean().describe(`off: ${rejected}`),
  ...pluck(settableFields, 'field'),
}

export const tenantsSet = ({ withDatabase, finish }: Context) => {
  const change: Partial<TenantSettings> = {}
  const created = command('set', "Change a tenant's account and terms.", [
    'rental tenants set fjord-cars --online-booking off',
    'rental tenants set fjord-cars --status suspended --subscription past_due',
    'rental tenants set fjord-cars --pending-hold-hours 48 --seasons pickup',
  ])
    .argument('<slug>', 'slug of the tenant')
    .action(async (slug, _options, self) => {
      if (Object.keys(change).length === 0) self.error('error: give at least one option')
      const { tenant, changed } = await withDatabase(changeTenant, slug, change)
      const ofFile = Object.entries(change).filter(([name]) => name in tenantFields)
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
