import { defineConfig } from 'vitest/config'
import { TableReporter } from './test/faults/tableReporter.ts'

/** `npm run test:faults`: every fault `FAULT_RUNS` times, and the table of what was measured. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    globalSetup: ['test/helpers/globalSetup.ts'],
    env: { FAULT_RUNS: process.env['FAULT_RUNS'] ?? '10' },
    reporters: ['default', new TableReporter()],
    // Faults are timed: more at once than there are cores would time each other.
    maxWorkers: 2,
    hookTimeout: 60_000,
  },
})
