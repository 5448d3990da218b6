import { z } from 'zod'
import { subscriptions, tenantStatuses } from '../../src/domain/accountRules.ts'
import { pluck } from '../../src/domain/pluck.ts'
import { extraFields, groupFields, rateFields, withoutInternal } from '../../src/fleet/fields.ts'
import { fleetFile } from '../../src/fleet/fleetFile.ts'
import { count, id, instant, listOf, referenced, text, textOrNull } from './types.ts'

const tenant = { ...fleetFile.shape.tenant.shape, timezone: text }

export const tenantOutput = z.strictObject({
  id,
  ...tenant,
  status: z.enum(tenantStatuses),
  subscription: z.enum(subscriptions),
  onlineBooking: z.boolean(),
  createdAt: instant,
})
export const tenantsListOutput = z.array(tenantOutput)

const block = { from: instant, to: instant, reason: textOrNull }

const fleetWith = (blocks: z.ZodRawShape, currency: z.ZodType) =>
  z.strictObject({
    tenant: z.strictObject(tenant),
    assetGroups: listOf({
      id,
      ...pluck(groupFields, 'field'),
      currency,
      assets: listOf({ ref: text, blocks: listOf(blocks) }),
      rates: listOf({ id, ...pluck(rateFields, 'field') }),
    }),
    extras: listOf({ id, ...pluck(extraFields, 'field'), currency }),
  })

export const fleetExportOutput = fleetWith(block, text.optional())
export const fleetShowOutput = fleetWith({ ...block, blockedBy: textOrNull }, text).extend({
  warnings: z.array(text),
})

const counts = { created: count, updated: count, archived: count }
const notes = { tenantCreated: z.boolean(), stranded: z.array(id), warnings: z.array(text) }

export const fleetImportOutput = z
  .union([
    z.strictObject({
      slug: text,
      dryRun: z.boolean(),
      ...counts,
      needsYes: z.boolean(),
      questions: z.array(text),
      ...notes,
      changes: listOf({
        change: z.enum(['created', 'changed', 'restored', 'archived']),
        kind: z.enum(['tenant', 'group', 'vehicle', 'block', 'rate', 'extra']),
        name: text,
        field: textOrNull,
        from: z.unknown(),
        to: z.unknown(),
      }),
    }),
    z.strictObject({
      tenantId: id,
      slug: text,
      assetGroups: z.array(
        referenced.extend({ assets: z.array(referenced), rates: z.array(referenced) }),
      ),
      extras: z.array(referenced),
      ...counts,
      ...notes,
    }),
  ])
  .describe(
    'With --dry-run the `changes`; `needsYes` is true when the import would ask its `questions`. `stranded` has the ids of open bookings that have no vehicle any more.',
  )

const blocked = {
  tenantId: id,
  tenant: text,
  timezone: text,
  assetGroup: text,
  asset: text,
  id,
  ...block,
  blockedBy: textOrNull,
}

export const fleetUnblockOutput = z.strictObject(blocked)
export const fleetBlockOutput = z
  .strictObject({ ...blocked, inService: count, confirmed: count, short: z.array(id) })
  .describe(
    '`blockedBy` is null for a block of the fleet file. `inService` and `confirmed` are the vehicles left throughout the block and the peak of confirmed bookings in it; `short` has the ids of confirmed bookings that touch the block and have no vehicle.',
  )

const { ref: _, ...extra } = pluck(extraFields, 'field')

export const siteConfigOutput = z
  .strictObject(withoutInternal(tenant))
  .omit({ slug: true, timezone: true })
  .extend({ timeZone: text, extras: listOf({ id, ...extra, currency: text }) })

export const fleetSchemaOutput = z.looseObject({ $schema: text, title: text })

export const quotesExplainOutput = z.strictObject({
  id,
  tenantId: id,
  steps: z.array(text),
  inputs: z
    .looseObject({ engine: count })
    .describe('The stored inputs of the price. Amounts are in the minor unit of the currency.'),
})
