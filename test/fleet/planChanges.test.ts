import { expect, it } from 'vitest'
import type { FleetPlan, StoredFleet } from '../../src/fleet/columns.ts'
import { listChanges } from '../../src/fleet/listChanges.ts'
import { parseFleetFile } from '../../src/fleet/parseFleetFile.ts'
import { planChanges } from '../../src/fleet/planChanges.ts'
import { smallFleet } from '../helpers/fleet.ts'

const lists = { groups: [], assets: [], blocks: [], rates: [], extras: [] }
const nothing: StoredFleet = { tenant: undefined, ...lists }

/** Returns the fleet that is stored after a plan is applied. */
function storedBy(plan: FleetPlan): StoredFleet {
  const live = <Row extends object>(rows: readonly Row[]) =>
    rows.map((row) => ({ ...row, archived: false }))
  return {
    tenant: { ...plan.tenant, archived: false },
    groups: live(plan.groups.rows),
    assets: live(plan.assets.rows),
    blocks: live(plan.blocks.rows).map((row) => {
      return { ...row, content: { ...row.content, blockedBy: null, over: false } }
    }),
    rates: live(plan.rates.rows),
    extras: live(plan.extras.rows),
  }
}

const march = { from: '2038-03-01T00:00:00Z', to: '2038-03-02T00:00:00Z' }
const asset = (ref: string) => ({
  ref,
  blocks: [march, { ...march, reason: 'service' }, { ...march, reason: 'sold' }],
})
const group = (ref: string) => ({
  ...{ ref, name: 'Economy', category: 'car', assets: [asset('A 1'), asset('A 2')] },
  rates: ['low', 'high'].map((rate) => ({ ref: rate, name: 'Standard', dailyRate: '499.00' })),
})
const extra = (ref: string) => ({ ref, name: 'Seat', pricing: 'per_day', price: '1.00' })
const file = parseFleetFile(
  JSON.stringify({
    ...{ tenant: smallFleet().tenant, assetGroups: [group('economy'), group('van')] },
    extras: [extra('one'), extra('two')],
  }),
)

it('planChanges treats rows that differ in one field as different rows, and plans nothing for the same file', () => {
  const first = planChanges(nothing, file)
  const stored = storedBy(first)
  expect(listChanges(nothing, first)).toHaveLength(1 + 2 + 4 + 12 + 4 + 2)
  expect(listChanges(stored, planChanges(stored, file))).toEqual([])
})
