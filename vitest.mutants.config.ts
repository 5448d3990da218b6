import process from 'node:process'
import { defineConfig } from 'vitest/config'

const withoutServers = [
  'test/clients/offline.test.ts',
  'test/domain/**/*.test.ts',
  'test/http/{addressBlock,codings,idempotencyKey,limitHeaders}.test.ts',
  'test/input/**/*.test.ts',
]

const withServers = [
  'test/operator/commands.test.ts',
  'test/http/{bounds,createBooking,createQuote}.test.ts',
  'test/limiter/limiter.test.ts',
  'test/services/{apiKeys,audit,eraseCustomer,importFields,importFleet,maintain,reviewBooking}.test.ts',
]

/** `npm run test:mutants`: tests that are quick enough to be run for each wrong change. */
export default defineConfig({
  test: {
    ...(process.env['MUTANTS_WITH_SERVERS'] === undefined
      ? { include: withoutServers }
      : { include: withServers, globalSetup: ['test/helpers/globalSetup.ts'] }),
    // It judges the oracle, which no wrong change touches.
    exclude: ['test/domain/priceOracle.test.ts'],
    // Far beyond what any test takes: a slow machine notices nothing.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { PROPERTY_RUNS_MAX: '120', FC_SEED: '1' },
  },
})
