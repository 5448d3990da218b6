import { describe, expect, it } from 'vitest'
import {
  type Account,
  accountProblem,
  keyProblem,
  scopeNotGranted,
  scopes,
} from '../../src/domain/access.ts'

const statuses = ['active', 'suspended'] as const
const subscriptions = ['active', 'cancelled', 'past_due'] as const
const accounts: readonly Account[] = statuses.flatMap((status) =>
  subscriptions.flatMap((subscription) =>
    [true, false].map((onlineBooking) => ({ status, subscription, onlineBooking })),
  ),
)

/** The conditions in the order in which the specification names them: the first that holds is told. */
const conditions = [
  ['TENANT_SUSPENDED', ({ status }: Account) => status === 'suspended'],
  ['SUBSCRIPTION_CANCELLED', ({ subscription }: Account) => subscription === 'cancelled'],
  ['SUBSCRIPTION_PAST_DUE', ({ subscription }: Account) => subscription === 'past_due'],
  ['MODULE_NOT_ENABLED', ({ onlineBooking }: Account) => !onlineBooking],
] as const

describe('an account', () => {
  // A tenant who reads "past due" pays, and is none the wiser when it is suspended all the same.
  it.each(accounts)('that is %o is told the weightiest reason first', (account) => {
    const [code] = conditions.find(([, holds]) => holds(account)) ?? []
    expect(accountProblem(account)).toBe(code)
  })
})

describe('a key', () => {
  const now = new Date('2027-06-01T10:00:00.000Z')
  const before = new Date(now.getTime() - 1)
  const after = new Date(now.getTime() + 1)

  it.each([
    ['good', null, null, undefined],
    ['revoked at this very moment', now, null, 'API_KEY_REVOKED'],
    ['revoked before', before, null, 'API_KEY_REVOKED'],
    ['still in the overlap of its rotation', after, null, undefined],
    ['expired at this very moment', null, now, 'API_KEY_EXPIRED'],
    ['expired before', null, before, 'API_KEY_EXPIRED'],
    ['in its last millisecond', null, after, undefined],
    ['revoked and expired: what somebody decided is told', before, before, 'API_KEY_REVOKED'],
  ])('that is %s', (_, revokedAt, expiresAt, refusal) => {
    expect(keyProblem({ revokedAt, expiresAt }, now)).toBe(refusal)
  })

  it('may be granted the five scopes of the specification and no other', () => {
    expect([...scopes].sort()).toEqual([
      'availability:read',
      'bookings:create',
      'bookings:read',
      'quotes:create',
      'rates:read',
    ])
  })

  it.each(scopes)('that lacks %s is told so: staff add what the answer names', (scope) => {
    expect(scopeNotGranted(scope).message).toBe(`This API key lacks the scope ${scope}.`)
  })
})
