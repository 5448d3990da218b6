import { getDomain } from 'tldts'
import { describeApiKey, generateApiKey, hashApiKey } from '../auth/apiKeys.ts'
import { insertApiKey, insertSecret, type KeyRow } from '../db/apiKeys.ts'
import type { Database } from '../db/client.ts'
import { inTransaction, type Transaction } from '../db/transaction.ts'
import { type Scope, scopes } from '../domain/access.ts'
import { type LimitName, limitNames } from '../domain/limits.ts'
import { normaliseOrigin } from '../domain/origins.ts'
import { plainText } from '../input/fields.ts'
import { Refusal, WrongUsage } from './refusal.ts'
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

export async function addSecret(transaction: Transaction, identity: KeyRow) {
  const { id, scopes, origins, limits, expiresAt } = identity
  const key = generateApiKey()
  const shown = describeApiKey(key)
  await insertSecret(transaction, identity, { keyHash: hashApiKey(key), ...shown })
  return { id, key, ...shown, scopes, origins, limits, expiresAt }
}

/** Integers in the database and in Redis. */
const limitMax = 1_000_000_000

const nameLengthMax = 100

/** What a key is called in lists: a line that shows what it says. */
export function checkName(requested: string): string {
  const { success, data } = plainText({ min: 1, max: nameLengthMax }).safeParse(requested)
  if (success) return data
  throw new WrongUsage(`The name must be one line of 1 to ${nameLengthMax} visible characters.`)
}

/** Grants for a new key; the single word `all` stands for every scope. */
export function checkScopes(requested: readonly string[]): Scope[] {
  if (requested.length === 1 && requested[0] === 'all') return [...scopes]
  if (requested.includes('all')) {
    throw new WrongUsage('Use the scope "all" by itself: it includes every other scope.')
  }
  const unknown = requested.find((name) => !scopes.some((scope) => scope === name))
  if (unknown !== undefined || requested.length === 0) {
    throw new WrongUsage(`Unknown scope "${unknown ?? ''}". Scopes: all, ${scopes.join(', ')}.`)
  }
  return scopes.filter((scope) => requested.includes(scope))
}

/** The allow list in the form browsers send, each origin once (decision 20). */
export function checkOrigins(requested: readonly string[] = []): string[] {
  const origins = requested.map((entry) => {
    const origin = normaliseOrigin(entry)
    if (origin === undefined) {
      throw new WrongUsage(
        `Invalid origin "${entry}". Use a form such as https://shop.example or https://*.shop.example.`,
      )
    }
    const shared = sharedDomain(origin)
    if (shared === undefined) return origin
    throw new WrongUsage(
      `Invalid origin "${entry}": a wildcard needs a domain of your own, not ${shared}.`,
    )
  })
  return [...new Set(origins)]
}

/** The domain of a wildcard when it is an address, or one under which anybody may have a name. */
function sharedDomain(origin: string): string | undefined {
  const domain = /^https?:\/\/\*\.([^:]+)/.exec(origin)?.[1]
  if (domain === undefined) return undefined
  return getDomain(domain, { allowPrivateDomains: true }) === null ? domain : undefined
}

/** The limits a key has of its own after some were set; null takes one away. */
export function limitsAfter(
  current: Readonly<Record<string, number>>,
  changes: Readonly<Record<string, number | null>> = {},
): Partial<Record<LimitName, number>> {
  for (const [name, limit] of Object.entries(changes)) checkLimit(name, limit)
  const own = Object.entries({ ...current, ...changes }).filter(([, limit]) => limit !== null)
  return Object.fromEntries(own)
}

function checkLimit(name: string, limit: number | null): void {
  if (!limitNames.some((known) => known === name)) {
    throw new WrongUsage(`Unknown limit "${name}". Limits: ${limitNames.join(', ')}.`)
  }
  if (limit !== null && (!Number.isInteger(limit) || limit < 1 || limit > limitMax)) {
    throw new WrongUsage(`The limit ${name} must be a whole number from 1 to ${limitMax}.`)
  }
}
