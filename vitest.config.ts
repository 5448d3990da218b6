import { availableParallelism } from 'node:os'
import process from 'node:process'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { TableReporter } from './test/faults/tableReporter.ts'
import { chromiumOnPath } from './test/helpers/chromium.ts'
import { ClosingLine } from './test/helpers/closingLine.ts'
import { LongestFirst } from './test/helpers/longestFirst.ts'

type Suite = NonNullable<ViteUserConfig['test']>

const globalSetup = ['test/helpers/globalSetup.ts']

/** Returns timeouts far longer than any test takes, so that tests pass on slow machines. */
const minutes = (count: number): Suite => ({
  testTimeout: count * 60_000,
  hookTimeout: count * 60_000,
  expect: { poll: { timeout: 60_000 } },
})

/** The settings of suites whose tests depend on the tests before them. */
const steps: Suite = {
  sequence: { shuffle: false },
  bail: 1,
  reporters: ['verbose', new ClosingLine()],
  ...minutes(10),
}

/** Tests that run before a release but not for each change, because they take long. */
const onlyFull = [
  'test/{attacks,faults,fuzz,pooler}/**',
  'test/browser/{choosing,foreignPages,frameworks,looks,visits,wishes}.test.ts',
  'test/db/plans/**',
  'test/http/pages/guidePrograms.test.ts',
  'test/isolation/{eventLoop,neighbours}.test.ts',
  'test/proxy/rolling.test.ts',
  'test/services/bookings/quoteRoundTrip.test.ts',
]

const fewRuns = { PROPERTY_RUNS_MAX: process.env['PROPERTY_RUNS_MAX'] ?? '300' }

const installedChromium = chromiumOnPath()

/** The suites by the name for `--mode`; see test/README.md. */
const suites: Readonly<Record<string, Suite>> = {
  test: {
    include: ['test/**/*.test.ts'],
    exclude: onlyFull,
    globalSetup,
    sequence: { shuffle: true, sequencer: LongestFirst },
    env: fewRuns,
    // Many tests mostly wait for servers, so more workers than cores are faster.
    maxWorkers: availableParallelism() + 1,
    // Loading every module again for each file is slow. Test files clean up what they start.
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
    // Fault tests measure times, which more workers would distort.
    maxWorkers: 2,
    isolate: false,
    ...minutes(30),
  },
  // The browser tests with the machine's installed Chromium, without which the suite fails.
  chromium: {
    include: installedChromium === undefined ? [] : ['test/browser/*.test.ts'],
    globalSetup,
    env: { CHROMIUM_PATH: installedChromium ?? '' },
    isolate: false,
    ...minutes(10),
  },
  firefox: { include: ['test/browser/firefox.check.ts'], globalSetup, ...minutes(5) },
  pure: {
    include: ['test/{auth,domain,fleet,input}/**/*.test.ts'],
    env: fewRuns,
    isolate: false,
    // No test waits for a server, so one that takes this long hangs.
    testTimeout: 10_000,
  },
  citus: {
    include: ['test/citus/*.citus.ts'],
    fileParallelism: false,
    globalSetup,
    ...minutes(2),
  },
  screenshots: { include: ['test/browser/screenshots.ts'], globalSetup, ...minutes(10) },
  upgrade: {
    include: ['test/upgrade/upgrade.check.ts'],
    globalSetup,
    disableConsoleIntercept: true,
    ...minutes(4),
  },
  generators: { include: ['test/generators/*.check.ts'], globalSetup },
  compose: {
    include: ['test/compose/{alertRules,production,restores}.ts'],
    fileParallelism: false,
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
  return { test: { reporters: ['default', new ClosingLine()], ...suite } }
})
