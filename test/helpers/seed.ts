import { randomUUID } from 'node:crypto'
import { describeApiKey, generateApiKey, hashApiKey } from '../../src/auth/keyFormat.ts'
import {
  notifyAccessChange,
  notifyCatalogChange,
} from '../../src/db/connection/changeNotifications.ts'
import type { Database } from '../../src/db/connection/database.ts'
import * as schema from '../../src/db/schema/index.ts'
import { type Scope, scopes } from '../../src/domain/accountRules.ts'

type Insert<T extends keyof typeof schema> = Partial<(typeof schema)[T]['$inferInsert']>

/** Inserts a tenant in Oslo with NOK, 25 % tax and 29 minutes of grace. Returns its ID. */
export async function aTenant(database: Database, values: Insert<'tenants'> = {}): Promise<string> {
  const id = values.id ?? randomUUID()
  await database.orm.insert(schema.tenants).values({
    slug: `tenant-${id}`,
    name: 'Fjord Cars',
    timeZone: 'Europe/Oslo',
    currency: 'NOK',
    taxPercent: '25',
    pricesIncludeTax: false,
    gracePeriodMinutes: 29,
    minLeadMinutes: 0,
    ...values,
    id,
  })
  return id
}

export interface SeededKey {
  readonly id: string
  readonly key: string
}

/**
 * Inserts a key. By default it has all scopes, no origins (only servers may use it) and a new secret;
 * `key` sets the secret.
 */
export async function aKey(
  database: Database,
  tenantId: string,
  {
    key = generateApiKey(),
    id = randomUUID(),
    ...values
  }: Insert<'apiKeys'> & { key?: string; id?: string; scopes?: Scope[] } = {},
): Promise<SeededKey> {
  await database.orm.insert(schema.apiKeys).values({
    tenantId,
    name: 'test',
    scopes: [...scopes],
    origins: [],
    ...values,
    id,
  })
  await database.orm
    .insert(schema.apiKeySecrets)
    .values({ tenantId, apiKeyId: id, keyHash: hashApiKey(key), ...describeApiKey(key) })
  await notifyAccessChange(database, tenantId)
  return { id, key }
}

/** Inserts a group with `assets` vehicles and one rate of 499 a day. Returns its ID. */
export async function aGroup(
  database: Database,
  tenantId: string,
  {
    assets = 1,
    rate = {},
    ...values
  }: Insert<'assetGroups'> & {
    assets?: number
    rate?: Insert<'rates'> | null
  } = {},
): Promise<string> {
  const id = values.id ?? randomUUID()
  await database.orm.insert(schema.assetGroups).values({
    tenantId,
    ref: id,
    name: 'Economy',
    category: 'car',
    currency: 'NOK',
    turnaroundMinutes: 0,
    ...values,
    id,
  })
  if (assets > 0) {
    await database.orm.insert(schema.assets).values(
      Array.from({ length: assets }, (_, n) => {
        const ref = `${id} ${n}`
        return { tenantId, assetGroupId: id, ref, foldedRef: ref }
      }),
    )
  }
  if (rate !== null) await aRate(database, tenantId, id, rate)
  await notifyCatalogChange(database, tenantId)
  return id
}

/** Inserts a rate of 499.00 a day, 99.00 an hour and 2,990.00 a week. Returns its ID. */
export async function aRate(
  database: Database,
  tenantId: string,
  assetGroupId: string,
  values: Insert<'rates'> = {},
): Promise<string> {
  const id = values.id ?? randomUUID()
  await database.orm.insert(schema.rates).values({
    tenantId,
    assetGroupId,
    ref: id,
    name: 'Standard',
    dailyMinor: 49_900n,
    hourlyMinor: 9_900n,
    weeklyMinor: 299_000n,
    ...values,
    id,
  })
  await notifyCatalogChange(database, tenantId)
  return id
}

/** Inserts an extra for 50.00 a day, at most 300.00 a rental. Returns its ID. */
export async function anExtra(
  database: Database,
  tenantId: string,
  values: Insert<'extras'> = {},
): Promise<string> {
  const id = values.id ?? randomUUID()
  await database.orm.insert(schema.extras).values({
    tenantId,
    ref: id,
    name: 'Child seat',
    pricing: 'per_day',
    currency: 'NOK',
    priceMinor: 5_000n,
    maxPriceMinor: 30_000n,
    ...values,
    id,
  })
  await notifyCatalogChange(database, tenantId)
  return id
}
