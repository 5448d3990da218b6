import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { rates } from '../../../src/db/schema/index.ts'
import { aServer } from '../../helpers/actors.ts'
import { type TestApp, useReplicas } from '../../helpers/app.ts'
import { aGroup, aKey, aRate, aTenant } from '../../helpers/seed.ts'
import { waitFor } from '../../helpers/waitFor.ts'

/** Shorter than the cache lifetime of 30 s, which applies without notifications. */
const visibleWithinMs = 20_000

const withNotifications = useReplicas(2)
const withoutNotifications = useReplicas(2, { PREPARED_STATEMENTS: 'off' })

it.each([
  ['with notifications', withNotifications],
  ['without notifications, behind a pooler', withoutNotifications],
])(
  'returns a changed rate, a new rate and a new group from every replica within 20 s %s',
  async (_, replicas) => {
    const [first] = replicas as readonly [TestApp, TestApp]
    const { database } = first.deps
    const tenantId = await aTenant(database)
    const groupId = await aGroup(database, tenantId)
    const { key } = await aKey(database, tenantId)
    const daily = async (replica: TestApp) => {
      const response = await aServer(replica, key).get(`/asset-groups/${groupId}/rates`)
      return response.body.data.map(({ dailyRate }: { dailyRate: string }) => dailyRate)
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
      await waitFor(async () => (await daily(replica)).join() === '510.00,520.00', visibleWithinMs)
    }
    const added = await aGroup(database, tenantId)
    for (const replica of replicas) {
      // A group that is not cached is read from the database at once.
      const { status } = await aServer(replica, key).get(`/asset-groups/${added}/rates`)
      expect(status).toBe(200)
      await waitFor(async () => (await groupCount(replica)) === 2, visibleWithinMs)
    }
  },
)
