import type { Database } from '../db/client.ts'
import { findTenantOfGroup } from '../db/demo.ts'
import { siteConfig } from '../services/siteConfig.ts'

/** Nobody takes two roof racks; what may be taken more often has its own most. */
const quantityMaxByName: Readonly<Record<string, number>> = {
  'Child seat': 4,
  'Additional driver': 3,
}

/** How often the widget first asks what the staff have decided. */
const pollSeconds = 3

/**
 * What the example website knows of its tenant, and its own choices. Undefined when the group, by
 * which the tenant is known, is gone.
 */
export async function demoSiteConfig(database: Database, assetGroupId: string) {
  const tenant = await findTenantOfGroup(database, assetGroupId)
  if (tenant === undefined) return undefined
  const known = await siteConfig(database, tenant.slug)
  const extras = known.extras.map((extra) => {
    return { ...extra, quantityMax: quantityMaxByName[extra.name] ?? 1 }
  })
  return { config: { ...known, extras, pollSeconds } }
}
