import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { ClosingLine } from './test/helpers/closingLine.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/helpers/globalSetup.ts'],
    reporters: ['default', new ClosingLine()],
    sequence: { shuffle: true },
    // Half of all tests mostly wait, for servers to start and for faults to pass.
    maxWorkers: availableParallelism() + 1,
    // A file starts and ends what it uses; reading every module anew for each took a fifth of the time.
    isolate: false,
    // Far beyond what any test takes: a slow machine is no failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
