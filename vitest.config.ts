import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/helpers/globalSetup.ts'],
    sequence: { shuffle: true },
    // The tests of faults mostly wait, so every core is put to use.
    maxWorkers: '100%',
  },
})
