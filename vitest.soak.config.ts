import { defineConfig } from 'vitest/config'

/** `npm run test:soak`: a replica under attack for `SOAK_MINUTES`. */
export default defineConfig({
  test: {
    include: ['test/attacks/soak.ts'],
    globalSetup: ['test/helpers/globalSetup.ts'],
    hookTimeout: 60_000,
    disableConsoleIntercept: true,
  },
})
