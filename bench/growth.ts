import process from 'node:process'
import { openCatalogCache } from '../src/cache/openCaches.ts'
import { closeDatabase, type Database, openDatabase } from '../src/db/connection/database.ts'
import { requestTimeouts } from '../src/db/connection/timeouts.ts'
import { countAvailability } from '../src/db/queries/availability.ts'
import { listBookings } from '../src/services/bookings/listBookings.ts'
import { reviewBooking } from '../src/services/bookings/reviewBooking.ts'
import { median, ratioOf, writeRatio } from './http/measure.ts'
import { listLength, type SeededCaller, seed } from './http/seed.ts'
import { openStores } from './http/stores.ts'

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 8)
const callsPerRound = 200
const factor = 10
const size = { tenants: 1, keysPerTenant: 8, bookingsPerTenant: 2_000 }
const dayMs = 86_400_000

type Call = (index: number) => Promise<unknown>

/**
 * Measures what one call costs with 2,000 bookings, and with ten times as many in ten times as many
 * groups; both databases in turns. Also measures the memory of a cached tenant.
 */
export async function benchGrowth(): Promise<void> {
  const small = await openSide(1)
  const large = await openSide(factor)
  try {
    for (const name of Object.keys(small.calls)) {
      const sides = { small: [] as number[], large: [] as number[] }
      for (let round = 0; round <= rounds; round += 1) {
        const before = await microsOf(small.calls[name] as Call, round)
        const after = await microsOf(large.calls[name] as Call, round)
        // The first round warms code, connections and plans.
        if (round > 0) {
          sides.small.push(before)
          sides.large.push(after)
        }
      }
      const [from, to] = [median(sides.small), median(sides.large)]
      const ratio = writeRatio(ratioOf(sides.large, sides.small))
      process.stdout.write(
        `${name.padEnd(24)}${from.toFixed(0)} → ${to.toFixed(0)} µs, ×${ratio}\n`,
      )
    }
    process.stdout.write(
      `a cached tenant of 20 groups and 39 rates: ${await kilobytesPerTenant()} kB\n`,
    )
  } finally {
    await small.close()
    await large.close()
  }
}

async function microsOf(call: Call, round: number): Promise<number> {
  const startedMs = performance.now()
  for (let index = 0; index < callsPerRound; index += 1) await call(round * callsPerRound + index)
  return ((performance.now() - startedMs) * 1000) / callsPerRound
}

const open = (url: string) =>
  openDatabase({
    ...{ url, poolMax: 4, preparedStatements: true, timeouts: requestTimeouts, plans: 'byIndex' },
    onConnectionLost() {},
  })

async function openSide(times: number) {
  const stores = await openStores()
  const callers = await seed(stores.databaseUrl, {
    ...size,
    groupsPerTenant: listLength * times,
    bookingsPerTenant: size.bookingsPerTenant * times,
  })
  const database = open(stores.databaseUrl)
  return {
    calls: await callsOn(database, callers[0] as SeededCaller),
    async close() {
      await closeDatabase(database)
      await stores.stop()
    },
  }
}

async function callsOn(database: Database, { tenantId, groupId }: SeededCaller) {
  const catalogs = openCatalogCache(database, { rowsMax: 10_000 })
  catalogs.setAnnounced(true)
  const { rows } = await database.pool.query<{ id: string }>(
    `select id from bookings where status = 'pending' order by pickup_at limit 10000`,
  )
  const calls: Record<string, Call> = {
    availability: (index) => {
      const from = new Date(Date.now() + (1 + (index % 300)) * dayMs)
      const to = new Date(from.getTime() + 3 * dayMs)
      return countAvailability(database.reads, tenantId, groupId, { from, to })
    },
    'list from the cache': async () => catalogs.find(tenantId),
    'list from the database': () => catalogs.renew(tenantId),
    'bookings list --limit 20': () =>
      listBookings(database, 'bench-1', { status: 'open', limit: 20 }, new Date()),
    'bookings confirm': (index) =>
      reviewBooking(database, {
        ...{ bookingId: rows[index % rows.length]?.id ?? '', decision: 'confirm' },
        ...{ actor: 'bench', force: true },
      }),
  }
  return calls
}

/** Returns the memory that the catalog of one tenant takes in the cache. */
async function kilobytesPerTenant(): Promise<string> {
  const tenants = 1_000
  const stores = await openStores()
  await seed(stores.databaseUrl, { tenants, keysPerTenant: 1, bookingsPerTenant: listLength })
  const database = open(stores.databaseUrl)
  const catalogs = openCatalogCache(database, { rowsMax: 1_000_000 })
  catalogs.setAnnounced(true)
  const { rows } = await database.pool.query<{ id: string }>('select id from tenants')
  const used = () => {
    globalThis.gc?.()
    return process.memoryUsage().heapUsed
  }
  const before = used()
  for (const { id } of rows) await catalogs.find(id)
  const bytes = (used() - before) / tenants
  await closeDatabase(database)
  await stores.stop()
  return (bytes / 1000).toFixed(0)
}
