import { describe, expect, it } from 'vitest'
import {
  type Account,
  accountProblem,
  keyProblem,
  scopeNotGranted,
  scopes,
} from '../../src/domain/accountRules.ts'

const statuses = ['active', 'suspended'] as const
const subscriptions = ['active', 'cancelled', 'past_due'] as const
const accounts: readonly Account[] = statuses.flatMap((status) =>
  subscriptions.flatMap((subscription) =>
    [true, false].map((onlineBooking) => ({ status, subscription, onlineBooking })),
  ),
)

/** The conditions in the order of the specification: the first that holds is reported. */
const conditions = [
  ['TENANT_SUSPENDED', ({ status }: Account) => status === 'suspended'],
  ['SUBSCRIPTION_CANCELLED', ({ subscription }: Account) => subscription === 'cancelled'],
  ['SUBSCRIPTION_PAST_DUE', ({ subscription }: Account) => subscription === 'past_due'],
  ['MODULE_NOT_ENABLED', ({ onlineBooking }: Account) => !onlineBooking],
] as const

describe('accountProblem', () => {
  it.each(accounts)(
    'returns the problem that the specification lists first for the account %o',
    (account) => {
      const [code] = conditions.find(([, holds]) => holds(account)) ?? []
      expect(accountProblem(account)).toBe(code)
    },
  )
})

describe('an API key', () => {
  const now = new Date('2027-06-01T10:00:00.000Z')
  const before = new Date(now.getTime() - 1)
  const after = new Date(now.getTime() + 1)

  it.each([
    ['no problem for a valid key', null, null, undefined],
    ['API_KEY_REVOKED for a key revoked at this moment', now, null, 'API_KEY_REVOKED'],
    ['API_KEY_REVOKED for a key revoked earlier', before, null, 'API_KEY_REVOKED'],
    ['no problem for a key in its rotation overlap', after, null, undefined],
    ['API_KEY_EXPIRED for a key that expires at this moment', null, now, 'API_KEY_EXPIRED'],
    ['API_KEY_EXPIRED for a key that expired earlier', null, before, 'API_KEY_EXPIRED'],
    ['no problem for a key in its last millisecond', null, after, undefined],
    ['API_KEY_REVOKED for a key that is revoked and expired', before, before, 'API_KEY_REVOKED'],
  ])('returns %s', (_, revokedAt, expiresAt, problem) => {
    expect(keyProblem({ revokedAt, expiresAt }, now)).toBe(problem)
  })

  it('offers exactly the five scopes of the specification', () => {
    expect([...scopes].sort()).toEqual([
      'availability:read',
      'bookings:create',
      'bookings:read',
      'quotes:create',
      'rates:read',
    ])
  })

  it.each(scopes)('names the scope %s in the error when the key lacks it', (scope) => {
    expect(scopeNotGranted(scope).message).toBe(`This API key lacks the scope ${scope}.`)
  })
})
