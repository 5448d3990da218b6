import { availableParallelism } from 'node:os'
import process from 'node:process'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { TableReporter } from './test/faults/tableReporter.ts'
import { chromiumOnPath } from './test/helpers/chromium.ts'
import { ClosingLine } from './test/helpers/closingLine.ts'
import { LongestFirst } from './test/helpers/longestFirst.ts'

type Suite = NonNullable<ViteUserConfig['test']>

/** PostgreSQL and Redis. */
const globalSetup = ['test/helpers/globalSetup.ts']

/** Far beyond what any test takes: a slow machine is no failure. */
const minutes = (count: number): Suite => ({
  testTimeout: count * 60_000,
  hookTimeout: count * 60_000,
  expect: { poll: { timeout: 60_000 } },
})

/** Each stands on the one before it. */
const steps: Suite = {
  sequence: { shuffle: false },
  bail: 1,
  reporters: ['verbose'],
  ...minutes(10),
}

/** Faults, storms, proxies and long random runs: for a release, not for each change. */
const onlyFull = [
  'test/{attacks,faults,fuzz,pooler}/**',
  'test/browser/{choosing,frameworks,visits}.test.ts',
  'test/db/plans/everyStatement.test.ts',
  'test/proxy/rolling.test.ts',
  'test/services/bookings/quoteRoundTrip.test.ts',
]

const installedChromium = chromiumOnPath()

/** By the name that `--mode` gives; test/README.md says what each proves. */
const suites: Readonly<Record<string, Suite>> = {
  test: {
    include: ['test/**/*.test.ts'],
    exclude: onlyFull,
    globalSetup,
    reporters: ['default', new ClosingLine()],
    sequence: { shuffle: true, sequencer: LongestFirst },
    env: { PROPERTY_RUNS_MAX: process.env['PROPERTY_RUNS_MAX'] ?? '300' },
    // Half of all tests mostly wait, for servers to start and for faults to pass.
    maxWorkers: availableParallelism() + 1,
    // A file starts and ends what it uses; reading every module anew for each took a fifth of the time.
    isolate: false,
    ...minutes(10),
  },
  full: {
    include: ['test/**/*.test.ts'],
    globalSetup,
    env: {
      FAULT_RUNS: process.env['FAULT_RUNS'] ?? '10',
      FUZZ_REQUESTS: process.env['FUZZ_REQUESTS'] ?? '20000',
    },
    reporters: ['default', new TableReporter(), new ClosingLine()],
    sequence: { shuffle: true, sequencer: LongestFirst },
    // Faults are timed: more at once than there are cores would time each other.
    maxWorkers: 2,
    isolate: false,
    ...minutes(30),
  },
  // The browser tests again, with the Chromium that the machine has installed, if any.
  chromium: {
    include: installedChromium === undefined ? [] : ['test/browser/*.test.ts'],
    passWithNoTests: true,
    globalSetup,
    env: { CHROMIUM_PATH: installedChromium ?? '' },
    reporters: ['default', new ClosingLine()],
    isolate: false,
    ...minutes(10),
  },
  // Rules without a server: they answer within seconds.
  pure: {
    include: ['test/{auth,domain,fleet,input}/**/*.test.ts'],
    isolate: false,
    ...minutes(10),
  },
  citus: {
    include: ['test/citus/*.citus.ts'],
    // One cluster, and what happens to a node happens to all.
    fileParallelism: false,
    globalSetup,
    ...minutes(2),
  },
  upgrade: {
    include: ['test/upgrade/upgrade.check.ts'],
    globalSetup,
    disableConsoleIntercept: true,
    ...minutes(4),
  },
  generators: { include: ['test/generators/*.check.ts'], globalSetup },
  compose: {
    include: ['test/compose/production.ts'],
    globalSetup: ['test/compose/needsEngine.ts'],
    ...steps,
  },
  distributed: {
    include: ['test/compose/distributed.ts'],
    globalSetup: ['test/compose/needsEngine.ts', 'test/compose/needsCitusImage.ts'],
    env: { COMPOSE_FILE: 'docker-compose.yml:docker/compose.citus.yml' },
    ...steps,
  },
}

export default defineConfig(({ mode }) => {
  const suite = suites[mode]
  if (suite === undefined) throw new Error(`There is no suite "${mode}"`)
  return { test: suite }
})
