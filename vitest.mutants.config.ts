import { defineConfig } from 'vitest/config'

/** `npm run test:mutants`: the tests that are fast enough to be run for each wrong change. */
export default defineConfig({
  test: {
    include: [
      'test/clients/offline.test.ts',
      'test/domain/**/*.test.ts',
      'test/http/{addressBlock,codings,idempotencyKey,limitHeaders}.test.ts',
      'test/input/**/*.test.ts',
      'test/redis/limiter.test.ts',
      'test/services/{importFields,importFleet,reviewBooking}.test.ts',
      'test/http/{createBooking,createQuote}.test.ts',
    ],
    // It judges the oracle, which no wrong change touches, and needs more runs.
    exclude: ['test/domain/priceOracle.test.ts'],
    globalSetup: ['test/helpers/globalSetup.ts'],
    env: { PROPERTY_RUNS_MAX: '120', FC_SEED: '1' },
  },
})
