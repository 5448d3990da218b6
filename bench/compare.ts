import process from 'node:process'
import { type Measurement, measure } from './http/measure.ts'
import { type Row, rows, unchangedRow } from './http/rows.ts'
import { openTestBed, type TestBed } from './http/testBed.ts'
import { type RowResult, tableHeading, tableRow, writePage } from './report.ts'

const list = (name: string, fallback: string) => (process.env[name] ?? fallback).split(',')
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 8)
const forMs = Number(process.env['BENCH_ROUND_MS'] ?? 1_000)
const servers = list('BENCH_SERVERS', '.,idiomatic,floor')
const chosen = process.env['BENCH_ROWS']
/** Only a run with all defaults may write the page. */
const isDefault = !Object.keys(process.env).some((name) => name.startsWith('BENCH_'))
/** Rows that are measured again in a database without planner statistics. */
const rowsWithoutStatistics = /availability|booking|quotes/

/**
 * Measures several servers alternately, one request type at a time: by default this build, an
 * implementation with Fastify's plugins (`idiomatic`) and a minimal server (`floor`). A run with
 * all defaults writes docs/benchmarks.md. BENCH_SERVERS names others, such as `.,../before`;
 * BENCH_ROWS is a regular expression; BENCH_CONNECTIONS lists the requests in flight.
 */
export async function compareServers(): Promise<void> {
  const results: RowResult[] = []
  process.stdout.write(`${tableHeading(servers)}\n`)
  for (const statistics of isDefault ? [true, false] : [true]) {
    const bed = await openTestBed(servers, statistics)
    try {
      for (const row of rows.filter(({ name }) => isChosen(name, statistics))) {
        for (const connections of list('BENCH_CONNECTIONS', '32').map(Number)) {
          const name = statistics ? row.name : `${row.name}, no statistics`
          const measurements = await measureAlternately(bed, row, connections)
          const result = { name, connections, measurements }
          process.stdout.write(`${tableRow(result)}\n`)
          results.push(result)
        }
      }
    } finally {
      await bed.close()
    }
  }
  if (isDefault) await writePage(results, servers)
}

const isChosen = (name: string, statistics: boolean) =>
  new RegExp(chosen ?? '').test(name) && (statistics || rowsWithoutStatistics.test(name))

async function measureAlternately(bed: TestBed, row: Row, connections: number) {
  const shape = { connections, status: row.status, forMs }
  const measurements = new Map<string, Measurement[]>(servers.map((name) => [name, []]))
  for (let round = 0; round <= rounds; round += 1) {
    const order = round % 2 === 0 ? servers : [...servers].reverse()
    for (const name of order) {
      const server = bed.servers.get(name)
      if (server === undefined || (name === 'idiomatic' && row.name === unchangedRow)) continue
      const measured = await measure(server, await row.requests(bed.round), shape)
      // The first round warms code, connections and plans.
      if (round > 0) measurements.get(name)?.push(measured)
    }
  }
  return measurements
}
