import process from 'node:process'
import { type Measurement, measure } from './http/measure.ts'
import { type Row, rows } from './http/rows.ts'
import { openTestBed, type TestBed } from './http/testBed.ts'
import { heading, line, type RowResult, writePage } from './report.ts'

const list = (name: string, fallback: string) => (process.env[name] ?? fallback).split(',')
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 8)
const forMs = Number(process.env['BENCH_ROUND_MS'] ?? 1_000)
const servers = list('BENCH_SERVERS', '.,idiomatic,floor')
const chosen = process.env['BENCH_ROWS']
/** Rows that are measured again in a database without statistics. */
const withoutStatistics = /availability|booking|quotes/

/**
 * Compares servers in turns, row by row: by default this build, the idiomatic one and the floor,
 * which writes docs/benchmarks.md. BENCH_SERVERS names others, such as `.,../before`; BENCH_ROWS is
 * a regular expression; BENCH_CONNECTIONS lists the requests in flight.
 */
export async function compareServers(): Promise<void> {
  const results: RowResult[] = []
  process.stdout.write(`${heading(servers)}\n`)
  for (const statistics of [true, false]) {
    if (!statistics && process.env['BENCH_SERVERS'] !== undefined) break
    const bed = await openTestBed(servers, statistics)
    try {
      for (const row of rows.filter(({ name }) => isChosen(name, statistics))) {
        for (const connections of list('BENCH_CONNECTIONS', '32').map(Number)) {
          const result = await compareRow(bed, row, connections, statistics)
          process.stdout.write(`${line(result, servers)}\n`)
          results.push(result)
        }
      }
      if (chosen === undefined && !statistics) await writePage(results, bed.stores)
    } finally {
      await bed.close()
    }
  }
}

const isChosen = (name: string, statistics: boolean) =>
  new RegExp(chosen ?? '').test(name) && (statistics || withoutStatistics.test(name))

async function compareRow(
  bed: TestBed,
  row: Row,
  connections: number,
  statistics: boolean,
): Promise<RowResult> {
  const shape = { connections, status: row.status, forMs }
  const turns = new Map<string, Measurement[]>(servers.map((name) => [name, []]))
  for (let round = 0; round <= rounds; round += 1) {
    const order = round % 2 === 0 ? servers : [...servers].reverse()
    for (const name of order) {
      const server = bed.servers.get(name)
      if (server === undefined || (name === 'idiomatic' && !row.idiomatic)) continue
      const next = await row[name === 'floor' ? 'floor' : 'api'](bed.round)
      const measured = await measure(server, next, shape)
      // The first round warms code, connections and plans.
      if (round > 0) turns.get(name)?.push(measured)
    }
  }
  return { row, connections, statistics, turns }
}
