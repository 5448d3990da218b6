import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { startTestPostgres } from './helpers/servers/postgres.ts'
import { startTestRedis } from './helpers/servers/redis.ts'

const withoutServers = ['test/domain/**/*.test.ts']

const withServers = [
  'test/cli/{bookingsList,bookingsShow,bookingsWatch,bookingsWatchCursors,commands,decide,fleet,fleetBlock,fleetBlockImports,fleetImport,keys,quotesExplain,siteConfig,reviewActor,tenants,wrongUsage}.test.ts',
  'test/http/{routes,schemas}/{bounds,createBooking,createQuote,retriedBooking}.test.ts',
  'test/services/**/*.test.ts',
]

const needsServers = process.env['MUTANTS_WITH_SERVERS'] !== undefined

// Started once for all mutants. The servers end with the process that runs the tests.
if (needsServers) {
  const [postgres, redis] = await Promise.all([startTestPostgres(), startTestRedis()])
  process.env['TEST_DATABASE_URL'] = postgres.url
  process.env['TEST_REDIS_URL'] = redis.url
}

/** The tests of `npm run test:mutants`, which are fast enough to run for each mutant. */
export default defineConfig({
  test: {
    ...(needsServers
      ? { include: withServers, globalSetup: ['test/helpers/globalSetup.ts'] }
      : { include: withoutServers }),
    // Far longer than any test takes, so that slow machines do not report false kills.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { PROPERTY_RUNS_MAX: '120', FC_SEED: '1' },
  },
})
