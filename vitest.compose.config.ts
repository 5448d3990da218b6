import { defineConfig } from 'vitest/config'

/** `npm run test:compose`: the way to production, step by step, on a real Docker engine. */
export default defineConfig({
  test: {
    include: ['test/compose/production.ts'],
    globalSetup: ['test/compose/needsEngine.ts'],
    // Each step stands on the one before it.
    sequence: { shuffle: false },
    bail: 1,
    reporters: ['verbose'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
