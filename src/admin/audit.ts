import { type Audit, audit } from '../services/audit.ts'
import type { Command } from './command.ts'
import { table } from './table.ts'

export const auditCommand: Command = {
  name: 'audit',
  summary: 'Check stored bookings, quotes and the fleet; exit 1 when something is broken.',
  args: [],
  options: [],
  examples: ['rental audit'],
  async run({ io, withDatabase }) {
    const result = await withDatabase(audit)
    return { json: result, text: describe(result, io.columns), ok: result.ok }
  },
}

function describe({ invariants, overbookings }: Audit, width: number | undefined): string {
  const checks = invariants.map(({ name, broken, examples }) => ({
    result: broken === 0 ? 'ok' : `BROKEN ${broken}`,
    name,
    examples: examples.map(({ id }) => id).join(' '),
  }))
  const columns = [{ field: 'result' }, { field: 'name' }, { field: 'examples' }] as const
  const lines = overbookings.map(
    ({ tenant, assetGroup, at, inService, confirmed }) =>
      `OVERBOOKED ${tenant} ${assetGroup} at ${at.toISOString()}: ` +
      `${confirmed} confirmed, ${inService} in service\n`,
  )
  const noneOverbooked = 'ok  no group is overbooked\n'
  return table(checks, columns, width) + (lines.join('') || noneOverbooked)
}
