import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { tenants } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { isFileError } from '../embedded/errors.ts'
import { readFleetFile } from '../fleet/parseFleetFile.ts'
import { projectRoot } from '../projectRoot.ts'
import { createApiKey } from '../services/apiKeys.ts'
import { importFleet } from '../services/importFleet.ts'

const fleetFile = join(projectRoot, 'examples/fleet.json')
const ownerOnly = 0o600

const demoSchema = z.object({
  serverKey: z.string(),
  websiteKey: z.string(),
  websiteOrigins: z.array(z.string()),
  assetGroupId: z.string(),
})

/** What a newcomer needs to try the API. */
export type Demo = z.infer<typeof demoSchema>

type DemoDeps = Pick<Deps, 'config' | 'database' | 'clock'>

/**
 * The demo of this DATA_DIR: made on the first start, when the database is still empty, and
 * remembered there, because the database itself keeps no keys. Undefined when the database holds
 * tenants that are no demo.
 */
export async function prepareDemo(deps: DemoDeps): Promise<Demo | undefined> {
  const path = join(deps.config.dataDir, 'demo.json')
  const [anyTenant] = await deps.database.orm.select({ id: tenants.id }).from(tenants).limit(1)
  if (anyTenant !== undefined) return readDemo(path)
  const demo = await createDemo(deps)
  await writeFile(path, JSON.stringify(demo, null, 2), { mode: ownerOnly })
  return demo
}

async function readDemo(path: string): Promise<Demo | undefined> {
  try {
    return demoSchema.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    if (isFileError(error, 'ENOENT')) return undefined
    throw error
  }
}

async function createDemo({ config, database, clock }: DemoDeps): Promise<Demo> {
  const fleet = await importFleet(database, readFleetFile(await readFile(fleetFile, 'utf8')))
  const [group] = fleet.assetGroups
  if (group === undefined) throw new Error('Bug: the demo fleet has no asset group')
  const websiteOrigins = ['127.0.0.1', 'localhost'].map(
    (host) => `http://${host}:${config.demoPort}`,
  )
  const common = { tenant: fleet.slug, scopes: ['all'] }
  const server = await createApiKey(database, { ...common, name: 'Demo server' }, clock.now())
  const website = await createApiKey(
    database,
    { ...common, name: 'Demo website', origins: websiteOrigins },
    clock.now(),
  )
  return {
    serverKey: server.key,
    websiteKey: website.key,
    websiteOrigins,
    assetGroupId: group.id,
  }
}
