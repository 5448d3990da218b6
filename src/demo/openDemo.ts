import type { Logger } from 'pino'
import type { Database } from '../db/connection/database.ts'
import { findTenantOfGroup } from '../db/queries/tenants/tenantRows.ts'
import { readSiteConfig } from '../services/readSiteConfig.ts'
import { demoBanner } from './banner.ts'
import { type DemoDeps, prepareDemo } from './demo.ts'
import { openSite } from './site.ts'

/** Opens the data and the website of a demo. Returns undefined if only other tenants exist. */
export async function openDemo(deps: DemoDeps & { readonly log: Logger }) {
  const { config, log, now } = deps
  // The website listens first, because its port is part of the origins of its key.
  const site = await openSite({ host: config.host, port: config.demoPort, log })
  const close = async () => site?.close()
  const demo = await prepareDemo(deps, site?.port)
  if (demo === undefined) {
    await close()
    return undefined
  }
  return {
    close,
    /** The address of the example website; undefined when no port was free. */
    siteUrl: site && `http://${config.host}:${site.port}`,
    serverKey: demo.serverKey,
    /** Connects the website with the API at this address, and returns the text to print. */
    start(baseUrl: string) {
      const { websiteKey: apiKey, assetGroupId } = demo
      site?.configure({ baseUrl, apiKey, read: () => demoSiteConfig(deps.database, assetGroupId) })
      return demoBanner(demo, baseUrl, site !== undefined, now())
    },
  }
}

/** The largest quantity of each extra on the website; 1 for all others. */
const quantityMaxByName: Record<string, number> = { 'Child seat': 4, 'Additional driver': 3 }

const pollSeconds = 3

/**
 * Returns the widget config of the example website. Returns undefined if the tenant's asset group
 * no longer exists.
 */
export async function demoSiteConfig(database: Database, assetGroupId: string) {
  const tenant = await findTenantOfGroup(database, assetGroupId)
  if (tenant === undefined) return undefined
  const known = await readSiteConfig(database, tenant.slug)
  const extras = known.extras.map((extra) => {
    return { ...extra, quantityMax: quantityMaxByName[extra.name] ?? 1 }
  })
  return { config: { ...known, extras, pollSeconds } }
}
