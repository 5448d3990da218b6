import { defineConfig } from 'vitest/config'

/** `npm run test:upgrade`: the release before and this one on one database, under load. */
export default defineConfig({
  test: {
    include: ['test/upgrade/upgrade.check.ts'],
    globalSetup: ['test/helpers/globalSetup.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    disableConsoleIntercept: true,
  },
})
