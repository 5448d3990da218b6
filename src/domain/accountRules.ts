import { ApiError, type PlainErrorCode } from './errors.ts'
import { hourSeconds } from './units.ts'

export const scopes = [
  'availability:read',
  'rates:read',
  'quotes:create',
  'bookings:create',
  'bookings:read',
] as const

export type Scope = (typeof scopes)[number]

export const scopeNotGranted = (scope: Scope) =>
  new ApiError('SCOPE_NOT_GRANTED', `This API key lacks the scope ${scope}.`)

/** The maximum lifetime of a session. Tokens with a longer one are rejected. */
export const sessionSecondsMax = hourSeconds

export const tenantStatuses = ['active', 'suspended'] as const
export const subscriptions = ['active', 'past_due', 'cancelled'] as const

/** The account conditions of a tenant that can block its keys. */
export interface Account {
  readonly status: (typeof tenantStatuses)[number]
  readonly subscription: (typeof subscriptions)[number]
  readonly onlineBooking: boolean
}

export function accountProblem(account: Account): PlainErrorCode | undefined {
  if (account.status === 'suspended') return 'TENANT_SUSPENDED'
  if (account.subscription === 'cancelled') return 'SUBSCRIPTION_CANCELLED'
  if (account.subscription === 'past_due') return 'SUBSCRIPTION_PAST_DUE'
  if (!account.onlineBooking) return 'MODULE_NOT_ENABLED'
  return undefined
}

export function keyProblem(
  key: { readonly revokedAt: Date | null; readonly expiresAt: Date | null },
  now: Date,
): PlainErrorCode | undefined {
  // `revokedAt` can be in the future: the key is valid until then.
  if (key.revokedAt !== null && key.revokedAt <= now) return 'API_KEY_REVOKED'
  if (key.expiresAt !== null && key.expiresAt <= now) return 'API_KEY_EXPIRED'
  return undefined
}
