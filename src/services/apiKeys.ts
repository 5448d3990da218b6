import { hashApiKey } from '../auth/apiKeys.ts'
import {
  apiKeysOfTenant,
  countOutcomes,
  endApiKey,
  endSecrets,
  findTenantOfKey,
  type KeyRow,
  lockApiKey,
  type StoredApiKey,
  updateApiKey,
} from '../db/apiKeys.ts'
import type { Database } from '../db/client.ts'
import { findKey } from '../db/keys.ts'
import { inTransaction, type Transaction } from '../db/transaction.ts'
import { keyProblem } from '../domain/access.ts'
import { normaliseOrigin } from '../domain/origins.ts'
import { dayNumber } from '../domain/period.ts'
import { dayMs } from '../domain/units.ts'
import { instantMs } from '../domain/zone.ts'
import { addSecret, checkName, checkOrigins, checkScopes, limitsAfter } from './createApiKey.ts'
import { Refusal, unknownId } from './refusal.ts'
import { tenantBySlug } from './tenants.ts'

/**
 * A tenant's keys with their secrets, oldest first; never the secrets themselves.
 * @throws Refusal for an unknown tenant
 */
export async function listApiKeys(database: Database, slug: string): Promise<StoredApiKey[]> {
  const { id } = await tenantBySlug(database, slug)
  return apiKeysOfTenant(database, id)
}

/** A key with its tenant, and what came of its attempts to book since midnight there. */
export type ApiKeyPage = Awaited<ReturnType<typeof showApiKey>>

/**
 * Everything of one key but its secrets' text.
 * @throws Refusal for an unknown key
 */
export async function showApiKey(database: Database, id: string, now: Date) {
  const tenant = await findTenantOfKey(database, id)
  if (tenant === undefined) throw unknownId('API key', id)
  const key = (await apiKeysOfTenant(database, tenant.id)).find((each) => each.id === id)
  if (key === undefined) throw unknownId('API key', id)
  const { slug, timeZone } = tenant
  const midnight = new Date(instantMs(dayNumber(now, timeZone) * dayMs, timeZone))
  const today = await countOutcomes(database, key, midnight)
  return { ...key, tenant: { slug, timezone: timeZone }, today }
}

/**
 * Ends a key with all its secrets now. Revoking twice keeps the first moment.
 * @throws Refusal for an unknown key
 */
export function revokeApiKey(database: Database, id: string) {
  return inTransaction(database, async (transaction) => {
    const before = await keyToChange(transaction, id)
    const key = await endApiKey(transaction, before)
    return { ...key, wasRevoked: before.revokedAt?.getTime() === key.revokedAt?.getTime() }
  })
}

/**
 * Gives a key a new secret; those it has end after the overlap, and all else goes on (decision 26).
 * @throws Refusal for an unknown key, or one that is not in use any more
 */
export function rotateApiKey(database: Database, id: string, overlapSeconds: number, now: Date) {
  return inTransaction(database, async (transaction) => {
    const key = await keyInUse(transaction, id, now)
    const replaced = await endSecrets(transaction, key, overlapSeconds)
    return { ...(await addSecret(transaction, key)), replaced }
  })
}

/** What to change of a key; what is left out stays. */
export interface ApiKeyChange {
  readonly name?: string | undefined
  /** Scope names, or `['all']`. */
  readonly scopes?: readonly string[] | undefined
  /** The whole allow list anew; before what is added and removed. */
  readonly origins?: readonly string[] | undefined
  readonly addedOrigins?: readonly string[] | undefined
  readonly removedOrigins?: readonly string[] | undefined
  /** Limits of its own; null takes one away, so that the default counts again. */
  readonly limits?: Readonly<Record<string, number | null>> | undefined
}

/**
 * Changes what a key is called and may do; its secrets stay good (decision 26).
 * @throws Refusal for an unknown key, one that is not in use any more, or a bad value
 */
export function changeApiKey(database: Database, id: string, change: ApiKeyChange, now: Date) {
  return inTransaction(database, async (transaction) => {
    const key = await keyInUse(transaction, id, now)
    return updateApiKey(transaction, key, {
      name: change.name === undefined ? key.name : checkName(change.name),
      scopes: change.scopes === undefined ? key.scopes : checkScopes(change.scopes),
      origins: originsAfter(key.origins, change),
      limits: limitsAfter(key.limits, change.limits),
    })
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
  const found = await findKey(database, hashApiKey(secret))
  if (found === undefined) return
  await inTransaction(database, async (transaction) => {
    const key = await lockApiKey(transaction, found.key.id)
    if (key === undefined || keyProblem(key, now) !== undefined) return
    const others = key.origins.filter((origin) => !before.includes(origin))
    const origins = [...new Set([...checkOrigins(after), ...others])]
    await updateApiKey(transaction, key, { origins })
  })
}

function originsAfter(current: readonly string[], change: ApiKeyChange): string[] {
  const kept = change.origins === undefined ? current : checkOrigins(change.origins)
  // What was saved under older rules must be removable by its own text.
  const removed = (change.removedOrigins ?? []).map((entry) => normaliseOrigin(entry) ?? entry)
  const missing = removed.find((origin) => !kept.includes(origin))
  if (missing !== undefined) {
    throw new Refusal(
      `${missing} is not an origin of this key. Its origins: ${kept.join(', ') || 'none'}.`,
    )
  }
  const left = kept.filter((origin) => !removed.includes(origin))
  return [...new Set([...left, ...checkOrigins(change.addedOrigins)])]
}

async function keyInUse(transaction: Transaction, id: string, now: Date): Promise<KeyRow> {
  const key = await keyToChange(transaction, id)
  // Release 0.1 rotated by an end to come of the whole key: a new secret would end with it.
  if (key.revokedAt === null && keyProblem(key, now) === undefined) return key
  throw new Refusal('This key is revoked or expired. Create a new one with `rental keys create`.')
}

async function keyToChange(transaction: Transaction, id: string): Promise<KeyRow> {
  const key = await lockApiKey(transaction, id)
  if (key === undefined) throw unknownId('API key', id)
  return key
}
