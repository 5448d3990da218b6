import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openMetrics } from '../../src/metrics/metrics.ts'

const root = join(import.meta.dirname, '../..')
export const read = (path: string) => readFileSync(join(root, path), 'utf8')
export const operations = read('docs/operations.md')

/** What an application that serves nobody answers to `GET /metrics`. */
async function metricsText(): Promise<string> {
  const metrics = openMetrics()
  metrics.watch({
    pool: { totalCount: 0, idleCount: 0, waitingCount: 0 },
    degraded: () => false,
    draining: () => false,
  })
  metrics.watchRequests(() => 0, 1)
  return metrics.text()
}

/** The names in those lines of the metrics that `pattern` finds. */
export const namesIn = async (pattern: RegExp) =>
  [...(await metricsText()).matchAll(pattern)].map(([, name = '']) => name)

/** The names of the metrics that an application registers. */
export const metricNames = () => namesIn(/^# TYPE (\w+)/gm)

export const ours = (names: readonly string[]) =>
  names.filter((name) => name.startsWith('rental_')).sort()

/** The rows of a table of the document: the code in their first column. */
export function rowsOf(heading: string): string[] {
  const section = operations.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, first = '']) => first)
}
