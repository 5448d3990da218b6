import type { AddressInfo } from 'node:net'
import { beforeAll } from 'vitest'
import {
  type ClientOptions,
  createClient,
  type QuoteRequest,
} from '../../clients/typescript/index.ts'
import { useTestApp } from '../helpers/app.ts'
import { inDays } from '../helpers/dates.ts'
import { aGroup, aKey, aTenant } from '../helpers/seed.ts'
import { fromOrigin, type Seen, watching } from './fetches.ts'

const origin = 'https://shop.example'

export const sessionsIn = (seen: readonly Seen[]) =>
  seen.filter(({ url }) => url.endsWith('/sessions')).length

/** Provides a server with one group, and clients of it, for the tests of one file. */
export function useClients(environment: Record<string, string> = {}) {
  const server = useTestApp(environment)
  let tenantId: string
  let apiKey: string
  let request: QuoteRequest
  beforeAll(async () => {
    const { database } = server.deps
    tenantId = await aTenant(database)
    apiKey = (await aKey(database, tenantId, { origins: [origin] })).key
    const assetGroupId = await aGroup(database, tenantId, { assets: 100 })
    request = { assetGroupId, pickupDatetime: inDays(5), dropoffDatetime: inDays(6) }
  })
  const baseUrl = () => `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`

  /** Returns a client that records its waits instead of waiting. */
  function aClient(options: Partial<ClientOptions> = {}) {
    const waits: number[] = []
    const sleep: ClientOptions['sleep'] = async (seconds, signal) => {
      signal?.throwIfAborted()
      waits.push(seconds)
    }
    return { client: createClient({ baseUrl: baseUrl(), apiKey, sleep, ...options }), waits }
  }

  return {
    server,
    baseUrl,
    get tenantId() {
      return tenantId
    },
    get apiKey() {
      return apiKey
    },
    get request() {
      return request
    },
    aClient,
    /** Returns a client in a browser, with the requests that it sent. */
    aPage(options: Partial<ClientOptions> = {}) {
      const { fetch, seen } = watching(fromOrigin(origin, options.fetch))
      return { ...aClient({ ...options, session: true, fetch }), seen }
    },
    async bookingsCount(): Promise<number> {
      const { rows } = await server.deps.database.pool.query('select 1 from bookings')
      return rows.length
    },
  }
}
