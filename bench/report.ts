import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { projectRoot } from '../src/config/projectRoot.ts'
import { drawChart } from './chart.ts'
import { formatRatio, type Measurement, median, ratioOf } from './http/measure.ts'

/** The measurements of a row, by server and round. */
export interface RowResult {
  readonly name: string
  readonly connections: number
  readonly measurements: ReadonlyMap<string, readonly Measurement[]>
}

const figures = (measurements: readonly Measurement[] = [], figure: keyof Measurement) =>
  measurements.map((measurement) => measurement[figure])

/**
 * Returns the ratio of the first server's figure to another's; undefined if the other server has no
 * such figure.
 */
function ratioTo({ measurements }: RowResult, server: string, figure: keyof Measurement) {
  const [ours] = measurements.values()
  const theirs = figures(measurements.get(server), figure)
  return theirs.length === 0 ? undefined : ratioOf(figures(ours, figure), theirs)
}

const tableLine = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** Returns the heading of the table: figures of the first server, and its ratios to the others. */
export function tableHeading([, ...others]: readonly string[]): string {
  const ratios = others.flatMap((name) => [`req/s by ${name}`, `CPU by ${name}`])
  const cells = ['', 'in flight', 'req/s', 'p50 / p99 ms', 'CPU µs', ...ratios]
  return `${tableLine(cells)}\n${tableLine(cells.map((cell) => (cell === '' ? '---' : '---:')))}`
}

export function tableRow(result: RowResult): string {
  const [[, ours] = [], ...others] = result.measurements
  const of = (figure: keyof Measurement) => median(figures(ours, figure))
  const ratios = others.flatMap(([name]) =>
    (['perSecond', 'cpuMicros'] as const).map((figure) => {
      const ratio = ratioTo(result, name, figure)
      return ratio === undefined ? '' : formatRatio(ratio)
    }),
  )
  const latencies = `${of('p50Ms').toFixed(1)} / ${of('p99Ms').toFixed(1)}`
  const absolute = [Math.round(of('perSecond')).toLocaleString('en-US'), latencies]
  const cells = [result.name, String(result.connections), ...absolute]
  return tableLine([...cells, of('cpuMicros').toFixed(0), ...ratios])
}

const pagePath = join(projectRoot, 'docs', 'benchmarks.md')
const [begin, end] = ['<!-- measured -->', '<!-- /measured -->']

/** Writes chart and table between the markers of docs/benchmarks.md; the text around them stays. */
export async function writePage(results: readonly RowResult[], servers: readonly string[]) {
  const bars = results.flatMap((result) => {
    const ratio = ratioTo(result, 'idiomatic', 'perSecond')
    if (ratio === undefined) return []
    const { median: value, low, high } = ratio
    return [{ label: result.name, value, spread: [low, high] as const, text: formatRatio(ratio) }]
  })
  const title = 'Requests a second, as a multiple of the idiomatic build'
  const chart = await drawChart('comparison', title, bars)
  const [before = '', rest = ''] = (await readFile(pagePath, 'utf8')).split(begin)
  const [, after = ''] = rest.split(end)
  const table = [tableHeading(servers), ...results.map(tableRow)].join('\n')
  const measured = `${chart}\n\n${table}\n\n${describeMachine()}`
  await writeFile(pagePath, `${before}${begin}\n\n${measured}\n\n${end}${after}`)
}

function describeMachine(): string {
  const date = new Date().toISOString().slice(0, 10)
  const processor = cpus()[0]?.model ?? 'unknown processor'
  const node = process.versions.node
  return `${date}, ${availableParallelism()} cores (${processor}) for servers, stores and load together, Node ${node}.`
}
