import { eq, sql } from 'drizzle-orm'
import { beforeAll } from 'vitest'
import { bookings, quotes } from '../../src/db/schema/index.ts'
import { type Actor, aPage, aServer, aVisitor } from './actors.ts'
import { useTestApp } from './app.ts'
import { inDays } from './dates.ts'
import { expectData } from './responses.ts'
import { aGroup, aKey, aTenant } from './seed.ts'

const origin = 'https://shop.example'

/** A tenant with one group, and who quotes and books there over HTTP, for the tests of one file. */
export function useHttpClients() {
  const server = useTestApp()
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
    /** A back end. */
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
    /** A back end with another key, of this tenant unless told otherwise. */
    anotherPartner: async (of = tenantId) =>
      aServer(server, (await aKey(server.deps.database, of)).key),
    /** A browser without a session, under the partner's key. */
    aPage: () => aPage(server, key, origin),
    /** A browser with a session of its own, under the partner's key. */
    aVisitor: () => aVisitor(server, key, origin),
    async aQuote(by: Actor = partner): Promise<string> {
      return expectData(await by.post('/quotes', rental()), 201).quoteId
    },
    expire: (quoteId: string) =>
      server.deps.database.orm
        .update(quotes)
        .set({ expiresAt: sql`now()` })
        .where(eq(quotes.id, quoteId)),
    bookingsOf: (quoteId: string) =>
      server.deps.database.orm.select().from(bookings).where(eq(bookings.quoteId, quoteId)),
  }
}
