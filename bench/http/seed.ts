import { closeDatabase, type Database } from '../../src/db/connection/database.ts'
import { scopes } from '../../src/domain/accountRules.ts'
import { dayMs } from '../../src/domain/units.ts'
import { parseFleetFile } from '../../src/fleet/parseFleetFile.ts'
import { importFleet } from '../../src/services/importFleet.ts'
import { createApiKey } from '../../src/services/manageKeys.ts'
import { openPool } from '../../test/helpers/openPool.ts'
import { seedBookings } from '../../test/helpers/seedBookings.ts'

/** The amount of data of one tenant. */
export interface SeedSize {
  readonly groups: number
  readonly keys: number
  readonly bookings: number
}

/** The worst realistic distribution: all load is on one tenant. */
export const oneBusyTenant: SeedSize = { groups: 20, keys: 8, bookings: 2_000 }

/** A seeded API key, with the ids that its requests contain. */
export interface SeededCaller {
  readonly key: string
  readonly keyId: string
  readonly tenantId: string
  /** The group with twenty rates; the others have one. */
  readonly groupId: string
  /** A booking that this key made. */
  readonly bookingId: string
}

const date = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)

const rates = Array.from({ length: 20 }, (_, index) => ({
  ref: `rate-${index}`,
  name: `Season ${index}`,
  dailyRate: `${400 + index}.00`,
  hourlyRate: '99.00',
  weeklyRate: `${2_400 + index}.00`,
  ...(index > 0 && { validFrom: date(20 * index), validTo: date(20 * index + 19) }),
}))

/** Returns a fleet with one vehicle in each group. */
export function fleetOf(slug: string, groups: number) {
  const terms = { timezone: 'Europe/Oslo', currency: 'NOK', taxPercent: '25' }
  const assetGroups = Array.from({ length: groups }, (_, index) => ({
    ref: `group-${index}`,
    name: `Vehicle class ${index}`,
    category: `category-${index % 5}`,
    description: 'A car of this class or similar, with room for five and their luggage',
    imageUrl: `https://images.example/classes/${index}.jpg`,
    turnaroundMinutes: 60,
    assets: [{ ref: `vehicle-${index}` }],
    rates: index === 0 ? rates : rates.slice(0, 1),
  }))
  return parseFleetFile(JSON.stringify({ tenant: { slug, name: slug, ...terms }, assetGroups }))
}

/**
 * Imports a fleet with keys and a year of bookings; returns a caller for every key. Without
 * `statistics` the planner has none, as in the minutes after a start or a restore.
 */
export async function seed(
  databaseUrl: string,
  { groups, keys, bookings }: SeedSize,
  statistics = true,
  slug = 'bench',
): Promise<SeededCaller[]> {
  const database = openPool(databaseUrl, { poolMax: 2 })
  const { tenantId, assetGroups } = await importFleet(database, fleetOf(slug, groups))
  const callers: SeededCaller[] = []
  for (let index = 0; index < keys; index += 1) {
    const request = { tenant: slug, name: 'bench', scopes, origins: [] }
    const { id: keyId, key } = await createApiKey(database, request, new Date())
    const owner = { tenantId, apiKeyId: keyId }
    const ids = await seedRentals(database, owner, assetGroups, bookings / keys)
    const groupId = assetGroups[0]?.id ?? ''
    callers.push({ key, keyId, tenantId, groupId, bookingId: ids[0] ?? '' })
  }
  if (statistics) await database.pool.query('vacuum analyze')
  await closeDatabase(database)
  return callers
}

/** Inserts bookings of three days on random days of the coming year, evenly over the groups. */
async function seedRentals(
  database: Database,
  owner: { tenantId: string; apiKeyId: string },
  groups: readonly { readonly id: string }[],
  count: number,
): Promise<string[]> {
  const ids: string[] = []
  for (const { id: assetGroupId } of groups) {
    const rentals = Array.from({ length: count / groups.length }, () => {
      const pickupAt = new Date(Date.now() + Math.floor(Math.random() * 365) * dayMs)
      const dropoffAt = new Date(pickupAt.getTime() + 3 * dayMs)
      return { pickupAt, dropoffAt, status: 'pending' as const }
    })
    ids.push(...(await seedBookings(database, { ...owner, assetGroupId }, rentals)))
  }
  return ids
}
