import { defineConfig } from 'vitest/config'

/** `npm run test:generators`: clients that others generate, and programs in other languages. */
export default defineConfig({
  test: {
    include: ['test/generators/*.check.ts'],
    globalSetup: ['test/helpers/globalSetup.ts'],
  },
})
