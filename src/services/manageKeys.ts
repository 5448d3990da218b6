import { describeApiKey, generateApiKey, hashApiKey } from '../auth/keyFormat.ts'
import type { Database } from '../db/connection/database.ts'
import { inTransaction, type Transaction } from '../db/connection/transaction.ts'
import { findKey } from '../db/queries/keys/keyLookup.ts'
import {
  apiKeysOfTenant,
  endSecrets,
  insertApiKey,
  insertSecret,
  type KeyRow,
  lockApiKey,
  markKeyRevoked,
  updateApiKey,
} from '../db/queries/keys/keyRows.ts'
import { keyProblem } from '../domain/accountRules.ts'
import { type ApiKeyChange, settingsAfter } from './keySettings.ts'
import { OperatorError, unknownId } from './operatorError.ts'
import { resolveKey } from './resolveIds.ts'
import { tenantBySlug } from './tenantTerms.ts'

export interface ApiKeyRequest extends ApiKeyChange {
  readonly tenant: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly expiresAt?: Date | undefined
}

const newKey = { name: '', scopes: [], origins: [], browserOnly: false, limits: {} }

/**
 * Creates a key and returns its secret. Only the hash of the secret is stored.
 * @throws OperatorError for an unknown tenant or scope, an invalid origin or limit, or a past expiry
 */
export async function createApiKey(database: Database, request: ApiKeyRequest, now: Date) {
  const { expiresAt = null } = request
  if (expiresAt !== null && expiresAt <= now) {
    throw new OperatorError('--expires must be in the future.')
  }
  const settings = settingsAfter(newKey, request)
  const { id: tenantId } = await tenantBySlug(database, request.tenant)
  return inTransaction(database, async (transaction) =>
    addSecret(transaction, await insertApiKey(transaction, { tenantId, ...settings, expiresAt })),
  )
}

/**
 * Returns a tenant's keys, oldest first, without their secrets.
 * @throws OperatorError for an unknown tenant
 */
export async function listApiKeys(database: Database, slug: string) {
  const { id } = await tenantBySlug(database, slug)
  return apiKeysOfTenant(database, id)
}

/**
 * Returns a key with its tenant, without its secrets.
 * @throws OperatorError for an unknown key
 */
export async function showApiKey(database: Database, typed: string) {
  const { tenantId, id, slug, timeZone } = await resolveKey(database, typed)
  const key = (await apiKeysOfTenant(database, tenantId)).find((each) => each.id === id)
  if (key === undefined) throw unknownId('API key', id)
  return { ...key, tenant: { slug, timezone: timeZone } }
}

/**
 * Revokes a key and its secrets now; an earlier revocation stays.
 * @throws OperatorError for an unknown key
 */
export function revokeApiKey(database: Database, typed: string) {
  return withKey(database, typed, async (transaction, before) => {
    const key = await markKeyRevoked(transaction, before)
    return { ...key, wasRevoked: before.revokedAt?.getTime() === key.revokedAt?.getTime() }
  })
}

/**
 * Adds a secret to a key and lets its other secrets end after `overlapSeconds`.
 * @throws OperatorError for an unknown, revoked or expired key
 */
export function rotateApiKey(database: Database, typed: string, overlapSeconds: number, now: Date) {
  return withKey(database, typed, async (transaction, key) => {
    rejectInactiveKey(key, now)
    const replaced = await endSecrets(transaction, key, overlapSeconds)
    return { ...(await addSecret(transaction, key)), replaced }
  })
}

/**
 * Changes the settings of a key. Its secrets stay valid.
 * @throws OperatorError for an unknown, revoked or expired key, or an invalid value
 */
export function changeApiKey(database: Database, typed: string, change: ApiKeyChange, now: Date) {
  return withKey(database, typed, async (transaction, key) => {
    rejectInactiveKey(key, now)
    return updateApiKey(transaction, key, settingsAfter(key, change))
  })
}

/** Reports whether a key in this database has the secret, even if the key is revoked. */
export async function isKnownSecret(database: Database, secret: string): Promise<boolean> {
  return (await findKey(database, hashApiKey(secret))) !== undefined
}

/**
 * Replaces some origins of the key with this secret, and keeps its other origins. Does nothing for
 * an unknown, revoked or expired key.
 */
export async function replaceOrigins(
  database: Database,
  secret: string,
  { before, after }: Readonly<Record<'before' | 'after', readonly string[]>>,
  now: Date,
): Promise<void> {
  const { key } = (await findKey(database, hashApiKey(secret))) ?? {}
  if (key === undefined || isInactive(key, now)) return
  const removedOrigins = before.filter((origin) => key.origins.includes(origin))
  await changeApiKey(database, key.id, { addedOrigins: after, removedOrigins }, now)
}

/** A key with its secret, which is shown only once. */
export type ShownApiKey = Awaited<ReturnType<typeof addSecret>>

async function addSecret(transaction: Transaction, identity: KeyRow) {
  const { id, scopes, origins, browserOnly, limits, expiresAt } = identity
  const secret = generateApiKey()
  const shown = describeApiKey(secret)
  await insertSecret(transaction, identity, { keyHash: hashApiKey(secret), ...shown })
  return { id, key: secret, ...shown, scopes, origins, browserOnly, limits, expiresAt }
}

/** Runs `work` on the key whose id begins with the typed text, locked until the transaction ends. */
async function withKey<T>(
  database: Database,
  typed: string,
  work: (transaction: Transaction, key: KeyRow) => Promise<T>,
): Promise<T> {
  const found = await resolveKey(database, typed)
  return inTransaction(database, async (transaction) => {
    const key = await lockApiKey(transaction, found)
    if (key === undefined) throw unknownId('API key', found.id)
    return work(transaction, key)
  })
}

function rejectInactiveKey(key: KeyRow, now: Date): void {
  if (!isInactive(key, now)) return
  throw new OperatorError(
    'This key is revoked or expired. Create a new one with `rental keys create`.',
  )
}

const isInactive = (key: Pick<KeyRow, 'revokedAt' | 'expiresAt'>, now: Date) =>
  key.revokedAt !== null || keyProblem(key, now) !== undefined
