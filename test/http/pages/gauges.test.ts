import { describe, expect, it } from 'vitest'
import { aServer } from '../../helpers/actors.ts'
import { useTestApp } from '../../helpers/app.ts'
import { scrape } from '../../helpers/metrics.ts'
import { aKey, aTenant } from '../../helpers/seed.ts'
import { waitFor } from '../../helpers/waitFor.ts'

const patienceMs = 30_000
const server = useTestApp()

/** Gauges that change at run time, with their idle values; metrics.test.ts covers Redis. */
const gaugesAtRest = {
  'rental_database_connections{state="busy"}': 0,
  rental_database_waiting: 0,
  rental_draining: 0,
  rental_http_requests_in_progress: 0,
  rental_limiter_degraded: 0,
}

/** Returns the gauges that differ from their idle values. */
async function unrest(): Promise<Record<string, number>> {
  const samples = await scrape(server)
  const moved = Object.entries(gaugesAtRest).filter(([name, rest]) => samples.get(name) !== rest)
  return Object.fromEntries(moved.map(([name]) => [name, samples.get(name) ?? Number.NaN]))
}

describe('gauges', () => {
  it('counts busy and idle connections of the pool', async () => {
    const { pool } = server.deps.database
    const [taken, free] = await Promise.all([pool.connect(), pool.connect()])
    free.release()
    try {
      await waitFor(async () => {
        const samples = await scrape(server)
        const connections = (state: string) =>
          samples.get(`rental_database_connections{state="${state}"}`) ?? Number.NaN
        return connections('busy') === 1 && connections('idle') > 0
      }, patienceMs)
    } finally {
      taken.release()
    }
  })

  it('counts waiting statements when every connection of the pool is busy', async () => {
    const { config, database } = server.deps
    const { key } = await aKey(database, await aTenant(database))
    const taken = await Promise.all(
      Array.from({ length: config.databasePoolMax }, () => database.pool.connect()),
    )
    let request: Promise<unknown> | undefined
    try {
      // The catalog of this key is not cached. The read times out after two seconds, so retry.
      const seen = await waitFor(async () => {
        request = aServer(server, key).get('/asset-groups').then()
        const waits = async () => {
          const moved = await unrest()
          return 'rental_database_waiting' in moved ? moved : undefined
        }
        return waitFor(waits, 1_500).catch(async () => void (await request))
      })
      expect(seen).toMatchObject({
        'rental_database_connections{state="busy"}': config.databasePoolMax,
        rental_database_waiting: 1,
        rental_http_requests_in_progress: expect.any(Number),
      })
    } finally {
      for (const client of taken) client.release()
      await request
    }
  })
})
