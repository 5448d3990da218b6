import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { rates } from '../../../src/db/schema/index.ts'
import { aServer } from '../../helpers/actors.ts'
import { type TestApp, useReplicas } from '../../helpers/app.ts'
import { aGroup, aKey, aRate, aTenant } from '../../helpers/seed.ts'
import { waitFor } from '../../helpers/waitFor.ts'

/** Shorter than the cache lifetime of 30 s, which applies to unannounced changes. */
const toldMs = 20_000

const announced = useReplicas(2)
const untold = useReplicas(2, { PREPARED_STATEMENTS: 'off' })

describe.each([
  ['with notifications', announced],
  ['behind a pooler, without notifications', untold],
])('replicas %s', (_, replicas) => {
  it('returns a changed rate, a new rate and a new group within 20 s', async () => {
    const [first] = replicas as readonly [TestApp, TestApp]
    const { database } = first.deps
    const tenantId = await aTenant(database)
    const groupId = await aGroup(database, tenantId)
    const { key } = await aKey(database, tenantId)
    const daily = async (replica: TestApp) => {
      const answer = await aServer(replica, key).get(`/asset-groups/${groupId}/rates`)
      return answer.body.data.map(({ dailyRate }: { dailyRate: string }) => dailyRate)
    }
    const groupCount = async (replica: TestApp) =>
      (await aServer(replica, key).get('/asset-groups')).body.data.length
    for (const replica of replicas) expect(await daily(replica)).toEqual(['499.00'])

    await database.orm
      .update(rates)
      .set({ dailyMinor: 51_000n })
      .where(eq(rates.tenantId, tenantId))
    await aRate(database, tenantId, groupId, { dailyMinor: 52_000n, validFrom: '2038-01-01' })
    for (const replica of replicas) {
      await waitFor(async () => (await daily(replica)).join() === '510.00,520.00', toldMs)
    }
    const added = await aGroup(database, tenantId)
    for (const replica of replicas) {
      // A group that is not cached is read from the database at once.
      const { status } = await aServer(replica, key).get(`/asset-groups/${added}/rates`)
      expect(status).toBe(200)
      await waitFor(async () => (await groupCount(replica)) === 2, toldMs)
    }
  })
})
