import { readFile } from 'node:fs/promises'
import { parseFleetFile } from '../../src/fleet/parseFleetFile.ts'
import type { Deps } from '../../src/lifecycle/openDependencies.ts'
import { importFleet } from '../../src/services/importFleet.ts'
import { createApiKey } from '../../src/services/manageKeys.ts'

/** Imports the demo fleet and returns a key of its tenant with all scopes. */
export async function demoKey(
  { database, now }: Pick<Deps, 'database' | 'now'>,
  origins: readonly string[] = [],
): Promise<string> {
  const file = new URL('../../examples/fleet.json', import.meta.url)
  const { slug } = await importFleet(database, parseFleetFile(await readFile(file, 'utf8')))
  const request = { tenant: slug, name: 'demo', scopes: ['all'], origins: [...origins] }
  return (await createApiKey(database, request, now())).key
}
