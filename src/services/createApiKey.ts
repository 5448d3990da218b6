import { describeApiKey, generateApiKey, hashApiKey } from '../auth/apiKeys.ts'
import { insertApiKey, insertSecret, type KeyRow } from '../db/apiKeys.ts'
import type { Database } from '../db/client.ts'
import { inTransaction, type Transaction } from '../db/transaction.ts'
import { checkName, checkOrigins, checkScopes, limitsAfter } from './apiKeyOptions.ts'
import { Refusal } from './refusal.ts'
import { tenantBySlug } from './tenants.ts'

export interface ApiKeyRequest {
  readonly tenant: string
  readonly name: string
  /** Scope names, or `['all']`. */
  readonly scopes: readonly string[]
  readonly origins?: readonly string[] | undefined
  readonly limits?: Readonly<Record<string, number | null>> | undefined
  readonly expiresAt?: Date | null | undefined
}

/**
 * Makes a key for a tenant, given by its slug; only the hash of its secret is stored (decision 26).
 * @throws Refusal for an unknown tenant or scope, a bad origin or limit, an end that has passed
 */
export async function createApiKey(database: Database, request: ApiKeyRequest, now: Date) {
  const { expiresAt = null } = request
  const name = checkName(request.name)
  if (expiresAt !== null && expiresAt <= now) {
    throw new Refusal('--expires must be in the future.')
  }
  const scopes = checkScopes(request.scopes)
  const origins = checkOrigins(request.origins)
  const limits = limitsAfter({}, request.limits)
  const { id: tenantId } = await tenantBySlug(database, request.tenant)
  return inTransaction(database, async (transaction) => {
    const settings = { tenantId, name, scopes, origins, limits, expiresAt }
    return addSecret(transaction, await insertApiKey(transaction, settings))
  })
}

/** A key at the one moment its secret can be shown. */
export type ShownApiKey = Awaited<ReturnType<typeof addSecret>>

/** Gives a key another secret. */
export async function addSecret(transaction: Transaction, identity: KeyRow) {
  const { id, scopes, origins, limits, expiresAt } = identity
  const key = generateApiKey()
  const shown = describeApiKey(key)
  await insertSecret(transaction, identity, { keyHash: hashApiKey(key), ...shown })
  return { id, key, ...shown, scopes, origins, limits, expiresAt }
}
