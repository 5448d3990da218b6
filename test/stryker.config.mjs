import process from 'node:process'

// Their tests need PostgreSQL and Redis.
const withServers = ['src/services/**/*.ts']

const withoutServers = ['src/domain/**/*.ts']

const servers = process.env.MUTANTS_WITH_SERVERS !== undefined

/** `npm run test:mutants` runs it both ways. */
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
  // There is no such file: Stryker would rewrite one through TypeScript's programming interface,
  // which version 7 has not.
  tsconfigFile: 'tsconfig.stryker.json',
}
