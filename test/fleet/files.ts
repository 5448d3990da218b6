import type { FleetPlan, ListName, StoredFleet } from '../../src/fleet/columns.ts'
import { FleetFileError } from '../../src/fleet/fleetFileError.ts'
import { smallFleet } from '../helpers/fleet.ts'

/** Returns the messages of all problems of a file by path. */
export function problemsOf(read: () => unknown): Record<string, string> {
  try {
    read()
  } catch (error) {
    if (!(error instanceof FleetFileError)) throw error
    return Object.fromEntries(error.problems.map(({ path, message }) => [path, message]))
  }
  return {}
}

export const withTenant = (change: object) => ({
  ...smallFleet(),
  tenant: { ...smallFleet().tenant, ...change },
})
export const withGroup = (change: object) => ({
  ...smallFleet(),
  assetGroups: [{ ref: 'g', name: 'G', category: 'car', ...change }],
})
export const withRate = (change: object) =>
  withGroup({ rates: [{ ref: 'r', name: 'R', dailyRate: '10', ...change }] })
export const withExtra = (change: object) => ({
  ...smallFleet(),
  extras: [{ ref: 'e', name: 'E', pricing: 'per_day', price: '0', ...change }],
})
export const withBlocks = (...blocks: object[]) => withGroup({ assets: [{ ref: 'a', blocks }] })

/** Returns the fleet that is stored after a plan is applied. */
export function storedAfter(
  stored: StoredFleet,
  plan: FleetPlan,
  blockedBy: string | null = null,
): StoredFleet {
  const list = <Name extends ListName>(name: Name) => {
    const rows = new Map(stored[name].map((row) => [row.id, row]))
    const { create, update, archive } = plan[name]
    for (const { id, content } of [...create, ...update]) {
      rows.set(id, { id, content: { blockedBy, ...content }, archived: false } as never)
    }
    for (const id of archive) {
      rows.set(id, Object.assign({}, rows.get(id), { archived: true }) as never)
    }
    return [...rows.values()]
  }
  return {
    tenant: { ...plan.tenant, archived: false },
    groups: list('groups'),
    assets: list('assets'),
    blocks: list('blocks'),
    rates: list('rates'),
    extras: list('extras'),
  } as StoredFleet
}
