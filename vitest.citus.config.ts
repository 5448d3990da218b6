import { defineConfig } from 'vitest/config'

/** `npm run test:citus`: what docs/scaling.md says of Citus, on the cluster at `CITUS_URL`. */
export default defineConfig({
  test: {
    include: ['test/citus/*.citus.ts'],
    // One cluster, and what happens to a node happens to all.
    fileParallelism: false,
    globalSetup: ['test/helpers/globalSetup.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
