import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import pg from 'pg'
import { projectRoot } from '../src/config/projectRoot.ts'
import { drawChart } from './chart.ts'
import { type Measurement, median, type Ratio, ratioOf, writeRatio } from './http/measure.ts'
import type { Row } from './http/rows.ts'
import type { Stores } from './http/stores.ts'

/** The measurements of a row by server, in turns. */
export interface RowResult {
  readonly row: Row
  readonly connections: number
  /** Whether the planner had statistics. */
  readonly statistics: boolean
  readonly turns: ReadonlyMap<string, readonly Measurement[]>
}

const figures = ({ turns }: RowResult, server: string, figure: keyof Measurement) =>
  (turns.get(server) ?? []).map((turn) => turn[figure])

/** Returns the first server's figure by another's; undefined where the other was not measured. */
function ratioTo(result: RowResult, server: string, figure: keyof Measurement): Ratio | undefined {
  const [first = ''] = result.turns.keys()
  const theirs = figures(result, server, figure)
  return theirs.length === 0 ? undefined : ratioOf(figures(result, first, figure), theirs)
}

const titleOf = ({ row, statistics }: RowResult) =>
  statistics ? row.name : `${row.name}, no statistics`

const columns = (servers: readonly string[]) =>
  servers.flatMap((server, index) =>
    (['cpuMicros', 'perSecond'] as const).map((figure) => ({ server, figure, first: index === 0 })),
  )

/** The heading and the lines of the table in a terminal. */
export const heading = (servers: readonly string[]): string =>
  [
    'in flight',
    ...columns(servers).map(({ server, figure, first }) =>
      `${figure === 'cpuMicros' ? 'CPU µs' : 'req/s'}${first ? '' : ` by ${server}`}`.padStart(
        first ? 9 : 28,
      ),
    ),
  ]
    .join('')
    .padStart(40)

export const line = (result: RowResult, servers: readonly string[]): string =>
  [
    titleOf(result).padEnd(32),
    String(result.connections).padStart(4),
    ...columns(servers).map(({ server, figure, first }) => {
      if (first)
        return median(figures(result, server, figure))
          .toFixed(0)
          .padStart(9)
      const ratio = ratioTo(result, server, figure)
      return (ratio === undefined ? '' : writeRatio(ratio)).padStart(28)
    }),
  ].join('')

const pagePath = join(projectRoot, 'docs', 'benchmarks.md')
const [begin, end] = ['<!-- measured -->', '<!-- /measured -->']

/** Writes chart and table between the markers of docs/benchmarks.md; the text around them stays. */
export async function writePage(results: readonly RowResult[], stores: Stores): Promise<void> {
  const [before, rest = ''] = (await readFile(pagePath, 'utf8')).split(begin)
  const [, after = ''] = rest.split(end)
  const chart = await drawChart(
    'benchmarks',
    'Requests a second, as a multiple of the idiomatic build',
    results.flatMap((result) => {
      const ratio = ratioTo(result, 'idiomatic', 'perSecond')
      if (ratio === undefined) return []
      const { median: value, low, high } = ratio
      return [
        { label: titleOf(result), value, spread: [low, high] as const, text: writeRatio(ratio) },
      ]
    }),
  )
  const measured = `${chart}\n\n${table(results)}\n${await setting(stores)}\n`
  await writeFile(pagePath, `${before}${begin}\n\n${measured}\n${end}${after}`)
}

function table(results: readonly RowResult[]): string {
  const cells = (result: RowResult) => {
    const ours = (figure: keyof Measurement) => median(figures(result, '.', figure))
    const ratio = (server: string, figure: keyof Measurement) => {
      const found = ratioTo(result, server, figure)
      return found === undefined ? '' : writeRatio(found)
    }
    return [
      titleOf(result),
      Math.round(ours('perSecond')).toLocaleString('en-US'),
      `${ours('p50Ms').toFixed(1)} / ${ours('p99Ms').toFixed(1)}`,
      ours('cpuMicros').toFixed(0),
      ratio('idiomatic', 'perSecond'),
      ratio('floor', 'perSecond'),
    ]
  }
  const rows = [
    ['', 'req/s', 'p50 / p99 ms', 'CPU µs', 'by idiomatic', 'by floor'],
    ['---', '---:', '---:', '---:', '---:', '---:'],
    ...results.map(cells),
  ]
  return rows.map((row) => `| ${row.join(' | ')} |\n`).join('')
}

/** Returns a sentence with date, machine and versions. */
async function setting({ databaseUrl }: Stores): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ version: string }>(
    `select current_setting('server_version') as version`,
  )
  await client.end()
  const date = new Date().toISOString().slice(0, 10)
  const processor = cpus()[0]?.model ?? 'unknown processor'
  return `${date}, ${availableParallelism()} cores (${processor}), Node ${process.versions.node}, PostgreSQL ${rows[0]?.version}.`
}
