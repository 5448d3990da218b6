import type { Reporter, TestModule } from 'vitest/node'

/**
 * Prints the counts of passed and failed tests as the last line of a run, and fails a run without
 * tests. Tests that did not run because their setup failed count as failed. Whenever vitest fails,
 * the line shows a failure.
 */
export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const { passed, failed } = countTests(modules, unhandledErrors.length)
    if (passed + failed === 0) process.exitCode = 1
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  }
}

/** Counts passed and failed tests. Tests that are marked as skipped count as neither. */
function countTests(modules: readonly TestModule[], unhandledErrors: number) {
  let passed = 0
  let failed = unhandledErrors
  for (const module of modules) {
    const before = failed
    for (const test of module.children.allTests()) {
      if (test.result().state === 'passed') passed += 1
      else if (test.options.mode !== 'skip' && test.options.mode !== 'todo') failed += 1
    }
    // A file that failed to load has no tests, and a failed teardown fails no test.
    if (module.state() === 'failed' && failed === before) failed += 1
  }
  return { passed, failed }
}
