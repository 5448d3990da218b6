import type { Reporter, TestModule } from 'vitest/node'

/**
 * Ends a run with one plain line that any continuous integration can read. Tests that never ran
 * because the setup of their file or suite failed count as failed, and the line shows a failure
 * whenever vitest does.
 */
export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const { passed, failed } = countTests(modules, unhandledErrors.length)
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  }
}

/** Counts tests by outcome; a test that was skipped on purpose is in neither count. */
function countTests(modules: readonly TestModule[], unhandledErrors: number) {
  let passed = 0
  let failed = unhandledErrors
  for (const module of modules) {
    const before = failed
    for (const test of module.children.allTests()) {
      if (test.result().state === 'passed') passed += 1
      else if (test.options.mode !== 'skip' && test.options.mode !== 'todo') failed += 1
    }
    // A file that could not be loaded has no tests, and a failed teardown fails none of them.
    if (module.state() === 'failed' && failed === before) failed += 1
  }
  return { passed, failed }
}
