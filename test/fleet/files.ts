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
