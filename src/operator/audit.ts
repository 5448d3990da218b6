import { type Audit, audit as auditDatabase } from '../services/audit.ts'
import { shown } from './cell.ts'
import { command } from './command.ts'
import type { Context } from './context.ts'
import { table } from './table.ts'

export const audit = ({ io, withDatabase, answer }: Context) =>
  command(
    'audit',
    'Check bookings, quotes and the fleet for inconsistencies. Exits with 1 if there are any.',
    ['rental audit'],
  ).action(async () => {
    const result = await withDatabase(auditDatabase)
    answer({ json: result, text: describe(result, io.columns), ok: result.ok })
  })

function describe({ invariants, overbookings }: Audit, width: number | undefined): string {
  const checks = invariants.map(({ name, broken, examples }) => ({
    RESULT: broken === 0 ? 'ok' : `BROKEN ${broken}`,
    CHECK: name,
    EXAMPLES: examples.map(({ id }) => id).join(' '),
  }))
  const lines = overbookings.map(
    ({ tenant, assetGroup, at, inService, confirmed }) =>
      `OVERBOOKED ${tenant} ${shown(assetGroup)} at ${at.toISOString()}: ` +
      `${confirmed} confirmed, ${inService} in service\n`,
  )
  const noneOverbooked = 'ok  no group is overbooked\n'
  return table(checks, { whole: ['CHECK'] }, width) + (lines.join('') || noneOverbooked)
}
