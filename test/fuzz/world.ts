import type { TestApp } from '../helpers/app.ts'
import { inDays } from '../helpers/dates.ts'
import { aGroup, aKey, anExtra, aTenant } from '../helpers/seed.ts'

/** Two keys of one tenant, one of another tenant, and the IDs they may book. */
export interface World {
  readonly key: string
  readonly otherKey: string
  readonly foreignKey: string
  readonly group: string
  readonly groupWithoutRate: string
  readonly extra: string
  readonly foreignExtra: string
  readonly origin: string
  /** Creates a quote of a key. Default: as a server, without a session. */
  quote(key?: string, headers?: Readonly<Record<string, string>>): Promise<string>
  session(): Promise<string>
}

export async function aWorld(server: TestApp): Promise<World> {
  const { database } = server.deps
  const origin = 'https://shop-a.example'
  const tenant = await aTenant(database, { timeZone: 'Europe/Copenhagen' })
  const foreign = await aTenant(database)
  const { key } = await aKey(database, tenant, { origins: [origin] })
  const group = await aGroup(database, tenant)
  const post = (path: string, headers: Readonly<Record<string, string>>) =>
    server.http.post(`/api/v1${path}`).set(headers)
  return {
    key,
    otherKey: (await aKey(database, tenant)).key,
    foreignKey: (await aKey(database, foreign)).key,
    group,
    groupWithoutRate: await aGroup(database, tenant, { rate: null }),
    extra: await anExtra(database, tenant),
    foreignExtra: await anExtra(database, foreign),
    origin,
    async quote(by = key, headers = {}) {
      const sent = { 'x-api-key': by, ...headers }
      const response = await post('/quotes', sent).send({
        assetGroupId: group,
        pickupDatetime: inDays(10),
        dropoffDatetime: inDays(12),
      })
      return response.body.data.quoteId
    },
    async session() {
      const response = await post('/sessions', { 'x-api-key': key, origin })
      return response.body.data.sessionToken
    },
  }
}
