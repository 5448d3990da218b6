import { describe, expect, it } from 'vitest'
import { aServer } from '../../helpers/actors.ts'
import { useTestApp } from '../../helpers/app.ts'
import { scrape } from '../../helpers/metrics.ts'
import { aKey, aTenant } from '../../helpers/seed.ts'
import { waitFor } from '../../helpers/waitFor.ts'

const patienceMs = 30_000
const server = useTestApp()

/** Every gauge of how things stand now; the others say what the process is, which does not change. Redis away: metrics.test.ts. */
const gaugesAtRest = {
  'rental_database_connections{state="busy"}': 0,
  rental_database_waiting: 0,
  rental_draining: 0,
  rental_http_requests_in_progress: 0,
  rental_limiter_degraded: 0,
}

/** The gauges that are not as they are at rest. */
async function unrest(): Promise<Record<string, number>> {
  const samples = await scrape(server)
  const moved = Object.entries(gaugesAtRest).filter(([name, rest]) => samples.get(name) !== rest)
  return Object.fromEntries(moved.map(([name]) => [name, samples.get(name) ?? Number.NaN]))
}

describe('a gauge moves with what it shows: an alert on one that never does would never fire', () => {
  it('when the process is about to end', async () => {
    server.deps.lifecycle.draining = true
    try {
      expect(await unrest()).toMatchObject({ rental_draining: 1 })
    } finally {
      server.deps.lifecycle.draining = false
    }
  })

  it('when one connection of the pool is taken, and another is not', async () => {
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

  it('when statements wait because every connection of the pool is taken', async () => {
    const { config, database } = server.deps
    const { key } = await aKey(database, await aTenant(database))
    const taken = await Promise.all(
      Array.from({ length: config.databasePoolMax }, () => database.pool.connect()),
    )
    let asked: Promise<unknown> | undefined
    try {
      // Its catalog has not been read yet. Reading gives up after two seconds: asked again.
      const seen = await waitFor(async () => {
        asked = aServer(server, key).get('/asset-groups').then()
        const waits = async () => {
          const moved = await unrest()
          return 'rental_database_waiting' in moved ? moved : undefined
        }
        return waitFor(waits, 1_500).catch(async () => void (await asked))
      })
      expect(seen).toMatchObject({
        'rental_database_connections{state="busy"}': config.databasePoolMax,
        rental_database_waiting: 1,
        rental_http_requests_in_progress: expect.any(Number),
      })
    } finally {
      for (const client of taken) client.release()
      await asked
    }
  })
})
