import { describeApiKey, generateApiKey, hashApiKey } from '../auth/apiKeys.ts'
import type { Database } from '../db/connection/database.ts'
import { inTransaction, type Transaction } from '../db/connection/transaction.ts'
import {
  apiKeysOfTenant,
  countOutcomes,
  endApiKey,
  endSecrets,
  insertApiKey,
  insertSecret,
  type KeyRow,
  lockApiKey,
  updateApiKey,
} from '../db/operatorQueries/apiKeys.ts'
import { findKey } from '../db/queries/keyLookup.ts'
import { keyProblem } from '../domain/access.ts'
import { dateBegin, dayNumber } from '../domain/pricing/period.ts'
import { type ApiKeyChange, settingsAfter } from './keySettings.ts'
import { OperatorError, unknownId } from './operatorError.ts'
import { resolveKey } from './resolveIds.ts'
import { tenantBySlug } from './tenants.ts'

export interface ApiKeyRequest extends ApiKeyChange {
  readonly tenant: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly expiresAt?: Date | undefined
}

/**
 * Makes a key for a tenant, given by its slug; only the hash of its secret is stored (decision 26).
 * @throws OperatorError for an unknown tenant or scope, a bad origin or limit, an end that has passed
 */
export async function createApiKey(database: Database, request: ApiKeyRequest, now: Date) {
  const { expiresAt = null } = request
  if (expiresAt !== null && expiresAt <= now) {
    throw new OperatorError('--expires must be in the future.')
  }
  const settings = settingsAfter({ name: '', scopes: [], origins: [], limits: {} }, request)
  const { id: tenantId } = await tenantBySlug(database, request.tenant)
  return inTransaction(database, async (transaction) =>
    addSecret(transaction, await insertApiKey(transaction, { tenantId, ...settings, expiresAt })),
  )
}

/** A tenant's keys, oldest first, none of their secrets in full; throws OperatorError for an unknown tenant. */
export async function listApiKeys(database: Database, slug: string) {
  const { id } = await tenantBySlug(database, slug)
  return apiKeysOfTenant(database, id)
}

/** Everything of one key but its secrets' text; throws OperatorError for an unknown key. */
export async function showApiKey(database: Database, typed: string, now: Date) {
  const { tenantId, id, slug, timeZone } = await resolveKey(database, typed)
  const key = (await apiKeysOfTenant(database, tenantId)).find((each) => each.id === id)
  if (key === undefined) throw unknownId('API key', id)
  const midnight = dateBegin(dayNumber(now, timeZone), timeZone)
  const today = await countOutcomes(database, key, midnight)
  return { ...key, tenant: { slug, timezone: timeZone }, today }
}

/** Ends a key and its secrets now, or leaves it ended; throws OperatorError for an unknown key. */
export function revokeApiKey(database: Database, typed: string) {
  return withKey(database, typed, async (transaction, before) => {
    const key = await endApiKey(transaction, before)
    return { ...key, wasRevoked: before.revokedAt?.getTime() === key.revokedAt?.getTime() }
  })
}

/**
 * Gives a key a new secret; those it has end after the overlap, and all else goes on (decision 26).
 * @throws OperatorError for an unknown key, or one that is not in use any more
 */
export function rotateApiKey(database: Database, typed: string, overlapSeconds: number, now: Date) {
  return withKey(database, typed, async (transaction, key) => {
    refuseUnused(key, now)
    const replaced = await endSecrets(transaction, key, overlapSeconds)
    return { ...(await addSecret(transaction, key)), replaced }
  })
}

/**
 * Changes what a key is called and may do; its secrets stay good (decision 26).
 * @throws OperatorError for an unknown key, one that is not in use any more, or a bad value
 */
export function changeApiKey(database: Database, typed: string, change: ApiKeyChange, now: Date) {
  return withKey(database, typed, async (transaction, key) => {
    refuseUnused(key, now)
    return updateApiKey(transaction, key, settingsAfter(key, change))
  })
}

/** Whether any key of this database has the secret, be it revoked. */
export async function isSecretOfAKey(database: Database, secret: string): Promise<boolean> {
  return (await findKey(database, hashApiKey(secret))) !== undefined
}

/**
 * Lets the key of a secret be used from some origins in place of others, unless it is gone, revoked
 * or expired; what else was added to it stays.
 */
export async function replaceOrigins(
  database: Database,
  secret: string,
  { before, after }: Readonly<Record<'before' | 'after', readonly string[]>>,
  now: Date,
): Promise<void> {
  const { key } = (await findKey(database, hashApiKey(secret))) ?? {}
  if (key === undefined || isUnused(key, now)) return
  const removedOrigins = before.filter((origin) => key.origins.includes(origin))
  await changeApiKey(database, key.id, { addedOrigins: after, removedOrigins }, now)
}

/** A key at the one moment its secret can be shown. */
export type ShownApiKey = Awaited<ReturnType<typeof addSecret>>

async function addSecret(transaction: Transaction, identity: KeyRow) {
  const { id, scopes, origins, limits, expiresAt } = identity
  const secret = generateApiKey()
  const shown = describeApiKey(secret)
  await insertSecret(transaction, identity, { keyHash: hashApiKey(secret), ...shown })
  return { id, key: secret, ...shown, scopes, origins, limits, expiresAt }
}

/** Runs `work` on the key whose id begins as it was typed, locked until the transaction ends. */
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

function refuseUnused(key: KeyRow, now: Date): void {
  if (!isUnused(key, now)) return
  throw new OperatorError(
    'This key is revoked or expired. Create a new one with `rental keys create`.',
  )
}

const isUnused = (key: Pick<KeyRow, 'revokedAt' | 'expiresAt'>, now: Date) =>
  key.revokedAt !== null || keyProblem(key, now) !== undefined
