import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { listTenants, type Tenant } from '../../db/operatorQueries/tenants.ts'
import { subscriptions, tenantStatuses } from '../../domain/access.ts'
import { seasonsChoices } from '../../domain/pricing/ratePeriods.ts'
import { shortPercent } from '../../domain/pricing/tax.ts'
import { pendingHold } from '../../fleet/fleetFile.ts'
import { changeTenant, tenantBySlug } from '../../services/tenants.ts'
import { type Context, command } from '../command.ts'
import { sanitizeJsonForTerminal } from '../terminal/cell.ts'
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
        ONLINE: tenant.onlineBooking ? 'on' : 'off',
      }))
      const none = 'No tenants yet. Import a fleet file to create one.\n'
      const text = table(rows, { fixed: ['SLUG'] }, io.columns) || none
      finish({ json: tenants.map(serializeTenant), text })
    },
  )

/** Returns a tenant for JSON, with the time zone and tax as in the fleet file. */
function serializeTenant({ id, slug, name, timeZone, ...terms }: Tenant) {
  const taxPercent = shortPercent(terms.taxPercent)
  return { id, slug, name, timezone: timeZone, ...terms, taxPercent }
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

function tenantPage(tenant: Tenant): string {
  const { minLeadMinutes, pendingHoldHours } = tenant
  return record({
    name: tenant.name,
    slug: tenant.slug,
    id: tenant.id,
    status: tenant.status,
    subscription: tenant.subscription,
    'online booking': tenant.onlineBooking ? 'on' : 'off',
    'time zone': tenant.timeZone,
    currency: tenant.currency,
    tax: `${shortPercent(tenant.taxPercent)} % ${tenant.pricesIncludeTax ? 'included' : 'on top'}`,
    grace: `${tenant.gracePeriodMinutes} minutes`,
    'lead time':
      minLeadMinutes === null ? 'none (pickups may be in the past)' : `${minLeadMinutes} minutes`,
    seasons: tenant.seasons,
    'pending hold': pendingHoldHours === null ? 'until staff decide' : `${pendingHoldHours} hours`,
  })
}

export const tenantsSet = ({ withDatabase, finish }: Context) =>
  command('set', "Change a tenant's account and pricing settings.", [
    'rental tenants set fjord-cars --online-booking off',
    'rental tenants set fjord-cars --status suspended --subscription past_due',
    'rental tenants set fjord-cars --pending-hold-hours 48 --seasons pickup',
  ])
    .argument('<slug>', 'slug of the tenant')
    .addOption(
      new Option('--status <status>', 'suspended: requests with its keys are rejected').choices(
        tenantStatuses,
      ),
    )
    .addOption(
      new Option(
        '--subscription <status>',
        'past_due, cancelled: requests with its keys are rejected',
      ).choices(subscriptions),
    )
    .addOption(
      new Option('--online-booking <switch>', 'off: requests with its keys are rejected').choices([
        'on',
        'off',
      ]),
    )
    .option(
      '--pending-hold-hours <hours>',
      'how long a pending booking holds a vehicle; none: until staff decide',
      holdHours,
    )
    .addOption(
      new Option(
        '--seasons <which>',
        'per_day: each day has the rate of its date; pickup: all days have the rate of the pickup',
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
      const tenant = await withDatabase(changeTenant, slug, change)
      const { pendingHoldHours, seasons } = change
      const inFile = sanitizeJsonForTerminal({ pendingHoldHours, seasons }, 0).slice(1, -1)
      const note = inFile && `The fleet file also sets this. Write there: ${inFile}\n`
      finish({ json: serializeTenant(tenant), text: tenantPage(tenant) + note })
    })

/** Parses hours or `none`. Returns an object, because commander replaces a bare null. */
function holdHours(typed: string): { readonly hours: number | null } {
  const hours = typed === 'none' ? null : /^\d+$/.test(typed) ? Number(typed) : Number.NaN
  const { success, data } = pendingHold.safeParse(hours)
  if (success) return { hours: data }
  throw new InvalidArgumentError('Use a whole number of hours from 1 to a year, or none.')
}
