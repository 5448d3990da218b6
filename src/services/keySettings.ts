import { getDomain } from 'tldts'
import type { KeySettings } from '../db/queries/keys/keyRows.ts'
import { type Scope, scopes } from '../domain/accountRules.ts'
import { type LimitName, limitNames } from '../domain/limits.ts'
import { normalizeOrigin } from '../domain/origins.ts'
import { shortText } from '../input/fields.ts'
import { checkText, OperatorError, UsageError } from './operatorError.ts'

/** Changes to an API key. Missing fields stay as they are. */
export interface ApiKeyChange {
  readonly name?: string | undefined
  /** Scope names, or `['all']`. */
  readonly scopes?: readonly string[] | undefined
  /** Replaces the whole allow list, before origins are added and removed. */
  readonly origins?: readonly string[] | undefined
  readonly addedOrigins?: readonly string[] | undefined
  readonly removedOrigins?: readonly string[] | undefined
  /** Whether a POST without `Origin` is rejected. */
  readonly browserOnly?: boolean | undefined
  /** Limits of this key. Null resets a limit to the default. */
  readonly limits?: Readonly<Record<string, number | null>> | undefined
}

/** Fits into an integer column of the database and into a Redis counter. */
const limitMax = 1_000_000_000

/**
 * Returns the settings of a key after a change.
 * @throws UsageError for an invalid value, or a browser-only key without origins
 * @throws OperatorError for removing an origin that the key does not have
 */
export function settingsAfter(key: KeySettings, change: ApiKeyChange): KeySettings {
  const settings = {
    name: change.name === undefined ? key.name : checkText('name', shortText, change.name),
    scopes: change.scopes === undefined ? key.scopes : checkScopes(change.scopes),
    origins: originsAfter(key.origins, change),
    browserOnly: change.browserOnly ?? key.browserOnly,
    limits: limitsAfter(key.limits, change.limits),
  }
  if (settings.origins.length > 0 || !settings.browserOnly) return settings
  throw new UsageError(
    'A browser-only key needs an origin: without one, it can book nothing. Add one with --origins ' +
      'or --add-origin, or use --browser-only off.',
  )
}

/** Returns the scopes for the given names, or all for the single name `all`. */
function checkScopes(requested: readonly string[]): Scope[] {
  if (requested.length === 1 && requested[0] === 'all') return [...scopes]
  if (requested.includes('all')) {
    throw new UsageError('Use the scope "all" by itself: it includes every other scope.')
  }
  const unknown = requested.find((name) => !scopes.some((scope) => scope === name))
  if (unknown !== undefined || requested.length === 0) {
    throw new UsageError(`Unknown scope "${unknown ?? ''}". Scopes: all, ${scopes.join(', ')}.`)
  }
  return scopes.filter((scope) => requested.includes(scope))
}

function originsAfter(current: readonly string[], change: ApiKeyChange): string[] {
  const base = change.origins?.map(checkOrigin) ?? current
  // Origins saved under older rules may not be valid today, but must be removable by their text.
  const removed = (change.removedOrigins ?? []).map((entry) => normalizeOrigin(entry) ?? entry)
  const missing = removed.find((origin) => !base.includes(origin))
  if (missing !== undefined) {
    throw new OperatorError(
      `${missing} is not an origin of this key. Its origins: ${base.join(', ') || 'none'}.`,
    )
  }
  const left = base.filter((origin) => !removed.includes(origin))
  return [...new Set([...left, ...(change.addedOrigins ?? []).map(checkOrigin)])]
}

function checkOrigin(entry: string): string {
  const origin = normalizeOrigin(entry)
  if (origin === undefined) {
    throw new UsageError(
      `Invalid origin "${entry}". Use a form such as https://shop.example, https://*.shop.example or, for an app, capacitor://localhost.`,
    )
  }
  const shared = sharedDomain(origin)
  if (shared === undefined) return origin
  throw new UsageError(
    `Invalid origin "${entry}": a wildcard needs a domain of your own, not ${shared}.`,
  )
}

/** Returns a wildcard's domain if it is an IP address or one where anyone can register names. */
function sharedDomain(origin: string): string | undefined {
  const [, domain] = origin.split('//*.')
  const own = domain === undefined || getDomain(domain, { allowPrivateDomains: true })
  return own === null ? domain : undefined
}

function limitsAfter(
  current: Readonly<Record<string, number>>,
  changes: Readonly<Record<string, number | null>> = {},
): Partial<Record<LimitName, number>> {
  for (const [name, limit] of Object.entries(changes)) {
    if (!limitNames.some((known) => known === name)) {
      throw new UsageError(`Unknown limit "${name}". Limits: ${limitNames.join(', ')}.`)
    }
    if (limit !== null && (limit < 1 || limit > limitMax)) {
      throw new UsageError(`The limit ${name} must be a whole number from 1 to ${limitMax}.`)
    }
  }
  const own = Object.entries({ ...current, ...changes }).filter(([, limit]) => limit !== null)
  return Object.fromEntries(own)
}
