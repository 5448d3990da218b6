import { describeApiKey, generateApiKey, hashApiKey } from '../auth/apiKeys.ts'
import {
  apiKeysOfTenant,
  endApiKey,
  insertApiKey,
  lockApiKey,
  type NewApiKey,
  type StoredApiKey,
  setOrigins,
} from '../db/apiKeys.ts'
import type { Database } from '../db/client.ts'
import { findKey } from '../db/keys.ts'
import { inTransaction, type Transaction } from '../db/transaction.ts'
import { keyRefusal } from '../domain/access.ts'
import { checkLimits, checkName, checkOrigins, checkScopes } from './apiKeyOptions.ts'
import { Refusal } from './refusal.ts'
import { tenantBySlug } from './tenants.ts'

export interface ApiKeyRequest {
  readonly tenant: string
  readonly name: string
  /** Scope names, or `['all']`. */
  readonly scopes: readonly string[]
  readonly origins?: readonly string[]
  readonly limits?: Readonly<Record<string, number>>
  readonly expiresAt?: Date | null
}

/** A key at the one moment it can be shown. */
export interface CreatedApiKey {
  readonly id: string
  readonly key: string
  readonly prefix: string
  readonly last4: string
  readonly scopes: readonly string[]
  readonly origins: readonly string[]
  readonly limits: Readonly<Record<string, number>>
  readonly expiresAt: Date | null
}

/**
 * Makes a key for a tenant, given by its slug; only the key's hash is stored (decision 26).
 * @throws Refusal for an unknown tenant or scope, a bad origin or limit, an end that has passed
 */
export async function createApiKey(
  database: Database,
  request: ApiKeyRequest,
  now: Date,
): Promise<CreatedApiKey> {
  const { expiresAt = null } = request
  const name = checkName(request.name)
  if (expiresAt !== null && expiresAt <= now) {
    throw new Refusal('The key would have expired already: --expires must lie in the future.')
  }
  const scopes = checkScopes(request.scopes)
  const origins = checkOrigins(request.origins ?? [])
  const limits = checkLimits(request.limits ?? {})
  const { id: tenantId } = await tenantBySlug(database, request.tenant)
  return storeNewKey(database, { tenantId, name, scopes, origins, limits, expiresAt })
}

/**
 * A tenant's keys, oldest first; never the keys themselves.
 * @throws Refusal for an unknown tenant
 */
export async function listApiKeys(database: Database, slug: string): Promise<StoredApiKey[]> {
  const { id } = await tenantBySlug(database, slug)
  return apiKeysOfTenant(database, id)
}

/**
 * Ends a key now. Revoking twice keeps the first moment.
 * @throws Refusal for an unknown key
 */
export function revokeApiKey(database: Database, id: string): Promise<StoredApiKey> {
  return inTransaction(database, async (transaction) =>
    endApiKey(transaction, await keyToChange(transaction, id), 0),
  )
}

/**
 * Makes a successor with the same settings; the old key works beside it for the overlap.
 * @throws Refusal for an unknown key, or one that is not in use any more
 */
export function rotateApiKey(
  database: Database,
  id: string,
  overlapSeconds: number,
  now: Date,
): Promise<{ created: CreatedApiKey; replaced: StoredApiKey }> {
  return inTransaction(database, async (transaction) => {
    const old = await keyToChange(transaction, id)
    if (keyRefusal(old, now) !== undefined) {
      throw new Refusal('This key is revoked or expired: make a new one with `rental keys create`.')
    }
    const { tenantId, name, scopes, origins, limits, expiresAt } = old
    const successor = { tenantId, name, scopes, origins, limits, expiresAt }
    const created = await storeNewKey(transaction, successor)
    return { created, replaced: await endApiKey(transaction, old, overlapSeconds) }
  })
}

/** Lets a key be used from other origins than before; a key that is gone stays gone. */
export async function changeOrigins(
  database: Database,
  apiKey: string,
  origins: readonly string[],
): Promise<void> {
  const found = await findKey(database, hashApiKey(apiKey))
  if (found === undefined) return
  const key = { tenantId: found.tenant.id, id: found.key.id }
  await setOrigins(database, key, checkOrigins(origins))
}

async function keyToChange(transaction: Transaction, id: string): Promise<StoredApiKey> {
  const key = await lockApiKey(transaction, id)
  if (key === undefined) throw new Refusal(`There is no API key with the id ${id}.`)
  return key
}

async function storeNewKey(
  connection: Pick<Database, 'orm'>,
  settings: Omit<NewApiKey, 'keyHash' | 'prefix' | 'last4'>,
): Promise<CreatedApiKey> {
  const key = generateApiKey()
  const described = { keyHash: hashApiKey(key), ...describeApiKey(key) }
  const stored = await insertApiKey(connection, { ...settings, ...described })
  const { id, prefix, last4, scopes, origins, limits, expiresAt } = stored
  return { id, key, prefix, last4, scopes, origins, limits, expiresAt }
}
