import type { Reporter, TestModule } from 'vitest/node'
import type { RowFigures } from './row.ts'

const order = ({ id }: RowFigures) => Number(/\d+/.exec(id)?.[0] ?? 0)

/** Prints a Markdown table of all fault rows at the end of a run. */
export class TableReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules
      .flatMap((module) => [...module.children.allTests()])
      .flatMap((test) => test.meta().fault ?? [])
      .toSorted((a, b) => order(a) - order(b) || a.id.localeCompare(b.id))
    const lines = rows.map(
      ({ id, fault, runs, unknown, violations, longestMs }) =>
        `| ${id} | ${fault} | ${runs} | ${unknown} | ${violations} | ${Math.round(longestMs)} ms |`,
    )
    const head = [
      '| row | fault | runs | unknown outcomes | violations | longest time to a definite response |',
      '|---|---|---:|---:|---:|---:|',
    ]
    process.stdout.write(`\n${[...head, ...lines].join('\n')}\n`)
  }
}
