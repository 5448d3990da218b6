import { defineConfig } from 'vitest/config'
import { ClosingLine } from './test/helpers/closingLine.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/helpers/globalSetup.ts'],
    reporters: ['default', new ClosingLine()],
    sequence: { shuffle: true },
    // The tests of faults mostly wait, so every core is put to use.
    maxWorkers: '100%',
    // Far beyond what any test takes: a slow machine is no failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
