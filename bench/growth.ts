import process from 'node:process'
import { openCatalogCache } from '../src/cache/openCaches.ts'
import { closeDatabase, type Database } from '../src/db/connection/database.ts'
import { requestTimeouts } from '../src/db/connection/timeouts.ts'
import { countAvailability } from '../src/db/queries/bookings/availability.ts'
import { dayMs } from '../src/domain/units.ts'
import { listBookings } from '../src/services/bookings/listBookings.ts'
import { reviewBooking } from '../src/services/bookings/reviewBooking.ts'
import { openPool } from '../test/helpers/openPool.ts'
import { formatRatio, median, ratioOf } from './http/measure.ts'
import { oneBusyTenant, type SeededCaller, seed } from './http/seed.ts'
import { openStores } from './http/stores.ts'

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 8)
const callsPerRound = 100
const factor = 10

type Call = (index: number) => Promise<unknown>

/**
 * Compares the duration of calls for a tenant with 20 vehicles and 2,000 bookings and for a tenant
 * ten times as large, alternately. Also measures the memory of a cached catalog.
 */
export async function measureGrowth(): Promise<void> {
  const [small, large] = [await openSide(1), await openSide(factor)]
  for (const name of Object.keys(small.calls)) {
    const [before, after] = [small.calls[name] as Call, large.calls[name] as Call]
    const micros = { before: [] as number[], after: [] as number[] }
    for (let round = 0; round <= rounds; round += 1) {
      const pair = [await microsOf(before, round), await microsOf(after, round)] as const
      // The first round warms code, connections and plans.
      if (round > 0) micros.before.push(pair[0])
      if (round > 0) micros.after.push(pair[1])
    }
    const absolute = `${median(micros.before).toFixed(0)} → ${median(micros.after).toFixed(0)} µs`
    const ratio = formatRatio(ratioOf(micros.after, micros.before))
    process.stdout.write(`| ${name} | ${absolute} | ${ratio} |\n`)
  }
  await small.close()
  await large.close()
  process.stdout.write(`A cached tenant takes ${await kilobytesPerTenant()} kB.\n`)
}

async function microsOf(call: Call, round: number): Promise<number> {
  const startedMs = performance.now()
  for (let index = 0; index < callsPerRound; index += 1) await call(round * callsPerRound + index)
  return ((performance.now() - startedMs) * 1000) / callsPerRound
}

function open(url: string): Database {
  return openPool(url, { poolMax: 4, timeouts: requestTimeouts, plans: 'byIndex' })
}

async function openSide(times: number) {
  const stores = await openStores()
  const { groups, keys, bookings } = oneBusyTenant
  const size = { groups: groups * times, keys, bookings: bookings * times }
  const callers = await seed(stores.databaseUrl, size)
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
  const { rows } = await database.pool.query<{ id: string }>('select id from bookings')
  const confirm = { decision: 'confirm', actor: 'bench', force: true } as const
  const calls: Record<string, Call> = {
    'count availability': (index) => {
      const from = new Date(Date.now() + (1 + (index % 300)) * dayMs)
      const to = new Date(from.getTime() + 3 * dayMs)
      return countAvailability(database.reads, tenantId, groupId, { from, to })
    },
    '`bookings list --limit 20`': () =>
      listBookings(database, 'bench', { status: 'open', limit: 20 }, new Date()),
    '`bookings confirm`': (index) =>
      reviewBooking(database, { bookingId: rows[index]?.id ?? '', ...confirm }),
  }
  return calls
}

/** Returns the memory of the catalog of one tenant with 20 groups and 39 rates. */
async function kilobytesPerTenant(): Promise<string> {
  const tenants = 200
  const stores = await openStores()
  const ids: string[] = []
  for (let index = 0; index < tenants; index += 1) {
    const size = { groups: 20, keys: 1, bookings: 0 }
    const [caller] = await seed(stores.databaseUrl, size, index === tenants - 1, `bench-${index}`)
    ids.push(caller?.tenantId ?? '')
  }
  const database = open(stores.databaseUrl)
  const catalogs = openCatalogCache(database, { rowsMax: 1_000_000 })
  catalogs.setListening(true)
  const used = () => {
    globalThis.gc?.()
    return process.memoryUsage().heapUsed
  }
  const before = used()
  for (const id of ids) await catalogs.find(id)
  const bytes = (used() - before) / tenants
  await closeDatabase(database)
  await stores.stop()
  return (bytes / 1000).toFixed(0)
}
