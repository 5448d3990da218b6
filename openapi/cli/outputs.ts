import { z } from 'zod'
import * as bookings from './bookings.ts'
import * as fleet from './fleet.ts'
import * as keys from './keys.ts'
import * as maintenance from './maintenance.ts'

/** The output of each command with --json. `fleet template` writes a workbook and rejects --json. */
const outputs: Readonly<Record<string, z.ZodType>> = {
  migrate: maintenance.migrateOutput,
  distribute: maintenance.distributeOutput,
  'fleet import': fleet.fleetImportOutput,
  'fleet export': fleet.fleetExportOutput,
  'fleet show': fleet.fleetShowOutput,
  'fleet block': fleet.fleetBlockOutput,
  'fleet unblock': fleet.fleetUnblockOutput,
  'fleet schema': fleet.fleetSchemaOutput,
  'tenants list': fleet.tenantsListOutput,
  'tenants show': fleet.tenantOutput,
  'tenants set': fleet.tenantOutput,
  'keys create': keys.keysCreateOutput,
  'keys list': keys.keysListOutput,
  'keys revoke': keys.keyOutput,
  'keys rotate': keys.keysRotateOutput,
  'keys set': keys.keyOutput,
  'keys show': keys.keysShowOutput,
  'bookings list': bookings.bookingsListOutput,
  'bookings show': bookings.bookingsShowOutput,
  'bookings watch': bookings.bookingsWatchOutput,
  'bookings confirm': bookings.bookingsDecideOutput,
  'bookings reject': bookings.bookingsDecideOutput,
  'bookings cancel': bookings.bookingsDecideOutput,
  'customers erase': bookings.customersEraseOutput,
  'quotes explain': fleet.quotesExplainOutput,
  'site config': fleet.siteConfigOutput,
  audit: maintenance.auditOutput,
  maintain: maintenance.maintainOutput,
  transfer: maintenance.transferOutput,
  conform: maintenance.conformOutput,
}

/**
 * Returns the JSON Schema of what each command prints with --json, published as
 * `public/cli.schema.json`.
 * @param strict whether the schemas reject unknown fields. Readers must accept unknown fields, which
 * a later release may add.
 */
export function outputSchemas({ strict }: { strict: boolean }) {
  const override = ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    if (!strict && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    if (jsonSchema.format !== undefined) delete jsonSchema.pattern
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    delete jsonSchema.default
  }
  const schemas = Object.entries(outputs).map(([command, output]) => {
    const options = { unrepresentable: 'any', override } as const
    const { $schema: _, ...schema } = z.toJSONSchema(output, options)
    return [command, schema] as const
  })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'What rental prints with --json',
    description:
      'One definition for each command. Instants are in UTC; amounts are decimal strings.',
    $defs: Object.fromEntries(schemas),
  }
}
