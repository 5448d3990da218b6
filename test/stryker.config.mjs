import process from 'node:process'

// The tests of these files need PostgreSQL and Redis.
const withServers = ['src/services/**/*.ts']

const withoutServers = ['src/domain/**/*.ts']

const servers = process.env.MUTANTS_WITH_SERVERS !== undefined

/** `npm run test:mutants` runs Stryker with and without servers. */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/vitest.mutants.config.ts' },
  mutate: servers ? withServers : withoutServers,
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  concurrency: servers ? 1 : 2,
  reporters: ['clear-text', 'json'],
  clearTextReporter: { logTests: false, allowColor: false },
  tempDirName: '.cache/stryker',
  jsonReporter: { fileName: `.cache/mutants${servers ? '.servers' : ''}.json` },
  ignorePatterns: ['dist', '.data', 'bench'],
  disableTypeChecks: false,
  // This file does not exist. Stryker rewrites an existing one with TypeScript's API, which version 7
  // does not have.
  tsconfigFile: 'tsconfig.stryker.json',
}
