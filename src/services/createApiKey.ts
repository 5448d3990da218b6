import { describeApiKey, generateApiKey, hashApiKey } from '../auth/apiKeys.ts'
import { insertApiKey, insertSecret, type KeyRow } from '../db/apiKeys.ts'
import type { Database } from '../db/client.ts'
import { inTransaction, type Transaction } from '../db/transaction.ts'
import { type ApiKeyChange, settingsAfter } from './keySettings.ts'
import { Refusal } from './refusal.ts'
import { tenantBySlug } from './tenants.ts'

export interface ApiKeyRequest extends ApiKeyChange {
  readonly tenant: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly expiresAt?: Date | undefined
}

/**
 * Makes a key for a tenant, given by its slug; only the hash of its secret is stored (decision 26).
 * @throws Refusal for an unknown tenant or scope, a bad origin or limit, an end that has passed
 */
export async function createApiKey(database: Database, request: ApiKeyRequest, now: Date) {
  const { expiresAt = null } = request
  if (expiresAt !== null && expiresAt <= now) {
    throw new Refusal('--expires must be in the future.')
  }
  const settings = settingsAfter({ name: '', scopes: [], origins: [], limits: {} }, request)
  const { id: tenantId } = await tenantBySlug(database, request.tenant)
  return inTransaction(database, async (transaction) =>
    addSecret(transaction, await insertApiKey(transaction, { tenantId, ...settings, expiresAt })),
  )
}

/** A key at the one moment its secret can be shown. */
export type ShownApiKey = Awaited<ReturnType<typeof addSecret>>

export async function addSecret(transaction: Transaction, identity: KeyRow) {
  const { id, scopes, origins, limits, expiresAt } = identity
  const secret = generateApiKey()
  const shown = describeApiKey(secret)
  await insertSecret(transaction, identity, { keyHash: hashApiKey(secret), ...shown })
  return { id, key: secret, ...shown, scopes, origins, limits, expiresAt }
}
