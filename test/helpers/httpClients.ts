import { eq } from 'drizzle-orm'
import { beforeAll } from 'vitest'
import { bookings } from '../../src/db/schema/index.ts'
import { type Actor, aServer, aVisitor } from './actors.ts'
import { useTestApp } from './app.ts'
import { inDays } from './dates.ts'
import { expectData } from './responses.ts'
import { aGroup, aKey, aTenant } from './seed.ts'

const origin = 'https://shop.example'

/** Provides a tenant with one group, and HTTP clients of it, for the tests of one file. */
export function useHttpClients(environment: Record<string, string> = {}) {
  const server = useTestApp(environment)
  let tenantId: string
  let groupId: string
  let key: string
  let partner: Actor
  beforeAll(async () => {
    const { database } = server.deps
    tenantId = await aTenant(database)
    groupId = await aGroup(database, tenantId)
    key = (await aKey(database, tenantId, { origins: [origin] })).key
    partner = aServer(server, key)
  })
  const rental = () => ({
    assetGroupId: groupId,
    pickupDatetime: inDays(10),
    dropoffDatetime: inDays(12),
  })
  return {
    server,
    origin,
    rental,
    get key() {
      return key
    },
    get partner() {
      return partner
    },
    get tenantId() {
      return tenantId
    },
    get groupId() {
      return groupId
    },
    database: () => server.deps.database,
    /** Returns a back end with another key. Default: of the same tenant. */
    anotherPartner: async (of = tenantId) =>
      aServer(server, (await aKey(server.deps.database, of)).key),
    /** Returns a browser with its own session, with the partner's key. */
    aVisitor: () => aVisitor(server, key, origin),
    async aQuote(by: Actor = partner): Promise<string> {
      return expectData(await by.post('/quotes', rental()), 201).quoteId
    },
    bookingsOf: (quoteId: string) =>
      server.deps.database.orm.select().from(bookings).where(eq(bookings.quoteId, quoteId)),
  }
}
