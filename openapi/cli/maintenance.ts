import { z } from 'zod'
import { housekeepingJobs } from '../../src/db/queries/maintenance/retention.ts'
import { count, id, instant, listOf, text } from './types.ts'

export const migrateOutput = z.strictObject({
  applied: count,
  dryRun: z.boolean(),
  migrations: z.array(text),
  kept: z.array(text).describe('Functions and views of a newer release, which `--back` replaces.'),
})

export const distributeOutput = z.strictObject({
  tables: listOf({ name: text, kind: z.enum(['reference', 'distributed']) }),
  functions: z.array(text),
})

export const maintainOutput = z.record(z.enum([...housekeepingJobs, 'erasedBookings']), count)

export const transferOutput = z.strictObject({ tables: listOf({ name: text, rows: count }) })

export const auditOutput = z
  .strictObject({
    ok: z.boolean(),
    missing: z
      .array(text)
      .describe(
        'Tables, keys, indexes, constraints, functions and triggers that the database lacks.',
      ),
    invariants: listOf({ name: text, broken: count, examples: listOf({ tenantId: id, id: text }) }),
    overbookings: listOf({
      tenant: text,
      timezone: text,
      assetGroup: text,
      at: instant,
      inService: count,
      confirmed: count,
    }),
    warnings: listOf({ tenant: text, warning: text }),
  })
  .describe(
    '`ok` is false, and the exit code 1, when an object of the database is missing, an invariant is broken or a group is overbooked. An overbooking with one `confirmed` and none `inService` is a booking that no vehicle can serve to its end.',
  )

export const conformOutput = z
  .strictObject({
    ok: z.boolean(),
    findings: listOf({ rule: text, problem: text.optional() }),
    bookingId: id.nullable(),
  })
  .describe('`ok` is false, and the exit code 1, when a rule is broken.')
