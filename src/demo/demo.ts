import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../config/environment.ts'
import { ownerOnly, undefinedIfMissing, writeFileAtomic } from '../config/files.ts'
import { projectRoot } from '../config/projectRoot.ts'
import type { Database } from '../db/connection/database.ts'
import { findTenantOfGroup, listTenants } from '../db/queries/tenants/tenantRows.ts'
import { parseFleetFile } from '../fleet/parseFleetFile.ts'
import { importFleet } from '../services/importFleet.ts'
import { createApiKey, isKnownSecret, replaceOrigins } from '../services/manageKeys.ts'

const fleetFile = join(projectRoot, 'examples/fleet.json')

const demoSchema = z.object({
  serverKey: z.string(),
  websiteKey: z.string(),
  websiteOrigins: z.array(z.string()),
  assetGroupId: z.string(),
})

export type Demo = z.infer<typeof demoSchema>

export interface DemoDeps {
  readonly config: Pick<Config, 'dataDir' | 'port' | 'host' | 'demoPort'>
  readonly database: Database
  readonly now: () => Date
}

/**
 * Returns the demo, which is created in an empty database. Its keys are stored in DATA_DIR, and
 * created again if that file is lost. Returns undefined if only other tenants exist.
 */
export async function prepareDemo(deps: DemoDeps, sitePort?: number): Promise<Demo | undefined> {
  const path = join(deps.config.dataDir, 'demo.json')
  const [hasTenants] = await listTenants(deps.database)
  const stored = await readDemo(deps, path)
  const origins = originsOf(sitePort ?? 0, deps.config.port)
  if (hasTenants === undefined) await importDemo(deps, origins)
  const demo =
    stored === undefined
      ? await createKeys(deps, origins)
      : await moveWebsite(deps, stored, sitePort)
  if (demo !== undefined && demo !== stored) {
    await mkdir(deps.config.dataDir, { recursive: true })
    await writeFileAtomic(path, JSON.stringify(demo, null, 2), { mode: ownerOnly })
  }
  return demo
}

/**
 * Returns the address of a group's photo on the website. Without a website, no server responds at
 * this address.
 */
const photoUrl = ([origin = 'http://127.0.0.1']: readonly string[], file: string) =>
  `${origin}/photos/${file}`

/** Returns the origins of the website and of the API, whose `/docs` page sends requests. */
function originsOf(...ports: number[]): string[] {
  const known = ports.filter((port) => port !== 0)
  return known.flatMap((port) => ['127.0.0.1', 'localhost'].map((host) => `http://${host}:${port}`))
}

/** Updates the origins of the website's key if its port has changed. */
async function moveWebsite({ config, database, now }: DemoDeps, demo: Demo, port?: number) {
  const websiteOrigins = port === undefined ? demo.websiteOrigins : originsOf(port, config.port)
  if (websiteOrigins.join() === demo.websiteOrigins.join()) return demo
  const moved = { before: demo.websiteOrigins, after: websiteOrigins }
  await replaceOrigins(database, demo.websiteKey, moved, now())
  return { ...demo, websiteOrigins }
}

/** Returns the stored demo, or undefined if it belongs to another database. */
async function readDemo({ database }: DemoDeps, path: string): Promise<Demo | undefined> {
  const text = await undefinedIfMissing(readFile(path, 'utf8'))
  if (text === undefined) return undefined
  const demo = demoSchema.parse(JSON.parse(text))
  return (await isKnownSecret(database, demo.serverKey)) ? demo : undefined
}

const readFleet = async () => parseFleetFile(await readFile(fleetFile, 'utf8'))

async function importDemo({ database }: DemoDeps, websiteOrigins: string[]): Promise<void> {
  const file = await readFleet()
  const assetGroups = file.assetGroups.map((group) => {
    return { ...group, imageUrl: photoUrl(websiteOrigins, `${group.ref}.svg`) }
  })
  await importFleet(database, { ...file, assetGroups })
}

/** Returns undefined if the demo's tenant does not exist. */
async function createKeys({ database, now }: DemoDeps, websiteOrigins: string[]) {
  const { tenant, assetGroups } = await readFleet()
  const [{ id: assetGroupId } = {}] = assetGroups
  if (assetGroupId === undefined) throw new Error('Bug: the demo fleet has no group with an id')
  if ((await findTenantOfGroup(database, assetGroupId))?.slug !== tenant.slug) return undefined
  const createKey = async (name: string, origins: string[]) => {
    const browserOnly = origins.length > 0
    const request = { tenant: tenant.slug, name, scopes: ['all'], origins, browserOnly }
    return (await createApiKey(database, request, now())).key
  }
  const serverKey = await createKey('Demo server', [])
  const websiteKey = await createKey('Demo website', websiteOrigins)
  return { serverKey, websiteKey, websiteOrigins, assetGroupId }
}
