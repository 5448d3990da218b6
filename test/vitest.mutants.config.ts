import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { startTestPostgres } from './helpers/servers/postgres.ts'
import { startTestRedis } from './helpers/servers/redis.ts'

const withoutServers = ['test/domain/**/*.test.ts']

const withServers = [
  'test/cli/{bookingsList,bookingsShow,bookingsWatch,bookingsWatchCursors,commands,decide,fleet,fleetBlock,fleetBlockImports,fleetImport,keys,quotesExplain,siteConfig,tenants,whoDecided,wrongUsage}.test.ts',
  'test/http/{routes,schemas}/{bounds,createBooking,createQuote,repeatedBooking}.test.ts',
  'test/services/**/*.test.ts',
]

const needsServers = process.env['MUTANTS_WITH_SERVERS'] !== undefined

// Once for all changes: they end with the process that runs the tests.
if (needsServers) {
  const [postgres, redis] = await Promise.all([startTestPostgres(), startTestRedis()])
  process.env['TEST_DATABASE_URL'] = postgres.url
  process.env['TEST_REDIS_URL'] = redis.url
}

/** `npm run test:mutants`: tests that are quick enough to be run for each wrong change. */
export default defineConfig({
  test: {
    ...(needsServers
      ? { include: withServers, globalSetup: ['test/helpers/globalSetup.ts'] }
      : { include: withoutServers }),
    // It judges the oracle, which no wrong change touches.
    exclude: ['test/domain/pricing/priceOracle.test.ts'],
    // Far beyond what any test takes: a slow machine notices nothing.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { PROPERTY_RUNS_MAX: '120', FC_SEED: '1' },
  },
})
