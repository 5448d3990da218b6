import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import pg from 'pg'
import { projectRoot } from '../../src/config/projectRoot.ts'
import { draw } from '../draw.ts'
import type { Measurement, spreadOf } from './measure.ts'
import type { Row } from './rows.ts'

/** A row's medians on both sides, the median of the rounds' ratios, and the latencies at half load. */
export interface RowResult {
  readonly row: Row
  readonly api: Measurement
  readonly floor: Measurement
  readonly ratio: number
  readonly spread: ReturnType<typeof spreadOf>
  readonly half: Readonly<Record<'api' | 'floor', Measurement>>
}

export interface Report {
  readonly rows: readonly RowResult[]
  /** Everything else that was measured, a line each. */
  readonly notes: readonly string[]
  /** What it ran on and how, in a sentence. */
  readonly setting: string
}

const whole = (value: number) => Math.round(value).toLocaleString('en-US')
const ms = (value: number) => value.toFixed(2)
const both = ({ p50Ms, p99Ms }: Measurement) => `${ms(p50Ms)} / ${ms(p99Ms)}`

/** The median, the quartiles, and a word where those are too far apart to conclude anything. */
function ratioOf({ ratio, spread: { low, high, noisy } }: RowResult): string {
  return `${ratio.toFixed(2)} [${low.toFixed(2)}–${high.toFixed(2)}]${noisy ? ' too noisy' : ''}`
}

type Column = readonly [heading: string, of: (result: RowResult) => string]

/** A `floor` column belongs to the one before it. */
const columns: readonly Column[] = [
  ['', ({ row }) => row.name],
  ['req/s', ({ api }) => whole(api.perSecond)],
  ['floor', ({ floor }) => whole(floor.perSecond)],
  ['ratio', ratioOf],
  ['aim', ({ row }) => row.aim.toFixed(2)],
  ['CPU µs', ({ api }) => whole(api.cpuMicros)],
  ['floor', ({ floor }) => whole(floor.cpuMicros)],
  ['p50 / p99 ms', ({ api }) => both(api)],
  ['floor', ({ floor }) => both(floor)],
  ['at half load', ({ half }) => both(half.api)],
  ['floor', ({ half }) => both(half.floor)],
]

const widthOf = (heading: string) => ({ '': 26, ratio: 30 })[heading] ?? 16

/** The table's heading and lines for a terminal. */
export const headingLine = (): string =>
  columns.map(([heading]) => heading.padStart(widthOf(heading))).join('')
export const resultLine = (result: RowResult): string =>
  columns.map(([heading, of]) => of(result).padStart(widthOf(heading))).join('')

/** Puts the report between the markers of `docs/benchmarks.md`; what people wrote around it stays. */
export async function writeDocument(report: Report): Promise<void> {
  const path = join(projectRoot, 'docs', 'benchmarks.md')
  const [begin, end] = ['<!-- measured -->', '<!-- /measured -->']
  const text = await readFile(path, 'utf8')
  const [before, rest = ''] = text.split(begin)
  const [, after = ''] = rest.split(end)
  const drawn = `${await drawRatios(report)}\n\n${await drawLatencies(report)}\n\n`
  await writeFile(path, `${before}${begin}\n\n${drawn}${markdown(report)}\n${end}${after}`)
}

function drawRatios({ rows }: Report): Promise<string> {
  const bars = rows.map((result) => {
    const { row, ratio, spread } = result
    const middleHalf = [spread.low, spread.high] as const
    return {
      label: row.name,
      value: ratio,
      text: ratioOf(result),
      spread: middleHalf,
      aim: row.aim,
    }
  })
  return draw('ratios', 'Requests a second, as a share of the floor (red: aim)', bars)
}

function drawLatencies({ rows }: Report): Promise<string> {
  const bars = rows.map(({ row, half }) => {
    const { api } = half
    const spread = [api.p50Ms, api.p99Ms] as const
    return { label: row.name, value: api.p50Ms, text: `${both(api)} ms`, spread }
  })
  return draw('latencies', 'Latency at half load: the bar is p50, the line goes to p99', bars)
}

function markdown({ rows, notes, setting }: Report): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
  const floors = rows.map(({ row }) => `${row.name}: ${row.floorDoes}`)
  return [
    `${setting}\n\n`,
    line(columns.map(([heading]) => heading)),
    line(columns.map(([heading]) => (heading === '' ? '---' : '---:'))),
    ...rows.map((result) => line(columns.map(([, of]) => of(result)))),
    '\nThe floors, each a bare Fastify with:\n\n',
    ...floors.map((text) => `- ${text}\n`),
    ...(notes.length > 0 ? ['\n', ...notes.map((note) => `- ${note}\n`)] : []),
  ].join('')
}

/** Date, machine, versions and command. */
export async function describeSetting(databaseUrl: string, redisVersion: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ version: string }>(
    `select current_setting('server_version') as version`,
  )
  await client.end()
  const processor = cpus()[0]?.model ?? 'unknown processor'
  const date = new Date().toISOString().slice(0, 10)
  return (
    `${date}, ${availableParallelism()} cores (${processor}), Node ${process.versions.node}, ` +
    `PostgreSQL ${rows[0]?.version}, Redis ${redisVersion}; load generator, API, floor, PostgreSQL and Redis ` +
    'share the cores. Measured with `npm run bench http`.'
  )
}
