import { beforeAll } from 'vitest'
import { hashApiKey } from '../../src/auth/keyFormat.ts'
import { findKey } from '../../src/db/queries/keys/keyLookup.ts'
import { keyProblem } from '../../src/domain/accountRules.ts'
import { type ApiKeyRequest, createApiKey } from '../../src/services/manageKeys.ts'
import { importFile, smallFleet } from '../helpers/fleet.ts'
import { lockWaits } from '../helpers/lockWaits.ts'
import { useTestDatabase } from '../helpers/openTestDatabase.ts'

/** Provides a database with one tenant, and functions for its keys, for the tests of one file. */
export function useApiKeys() {
  const tenant = 'fjord-cars'
  const test = useTestDatabase()
  beforeAll(async () => {
    await importFile(test.database, smallFleet(tenant))
  })

  return Object.assign(test, {
    tenant,
    create: (more: Partial<ApiKeyRequest> = {}) =>
      createApiKey(test.database, { tenant, name: 'shop', scopes: ['all'], ...more }, new Date()),
    /** Returns the reason why a key will be rejected in `inMs`; undefined if it is accepted. */
    async problemOf(key: string, inMs = 0) {
      const found = await findKey(test.database, hashApiKey(key))
      return found && keyProblem(found.key, new Date(Date.now() + inMs))
    },
    /** Resolves when `count` sessions wait for a lock. */
    waitForWaiting: (count: number) => lockWaits(test.database.pool, count),
  })
}
