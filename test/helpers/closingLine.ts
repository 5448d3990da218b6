import type { Reporter, TestModule } from 'vitest/node'

/** Ends a run with one plain line that any continuous integration can read. */
export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: 'passed' | 'failed') =>
      tests.filter((test) => test.result().state === state).length
    process.stdout.write(`\n${count('passed')} passed, ${count('failed')} failed\n`)
  }
}
