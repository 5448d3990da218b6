import { resolve } from 'node:path'
import process from 'node:process'
import { type Bed, makeBed } from './bed.ts'
import { type Measurement, measure, median, spreadOf } from './measure.ts'
import type { MeasuredServer } from './processes.ts'
import { insertQuotes } from './quotes.ts'
import { type Row, rows } from './rows.ts'
import type { SeedSize } from './seed.ts'

const list = (name: string, fallback: string) => (process.env[name] ?? fallback).split(',')
const pairs = Number(process.env['BENCH_PAIRS'] ?? 8)
const roundMs = Number(process.env['BENCH_ROUND_MS'] ?? 600)
/** More than any machine books in a round. */
const quotesPerRound = 6_000

const spread: SeedSize = { tenants: 200, keysPerTenant: 2, bookingsPerTenant: 100 }
const oneBusyTenant: SeedSize = { tenants: 1, keysPerTenant: 8, bookingsPerTenant: 2_000 }

/**
 * Two builds of the API in turns on the same stores, A B, B A, …: what a request costs the server's
 * process, and their ratio. BENCH_TREES names two project directories with a `dist`, or `floor` for
 * the first; BENCH_ROWS, BENCH_CONNECTIONS and BENCH_BUSY=1 (one tenant) what is sent to them.
 */
export async function benchCompare(): Promise<void> {
  const trees = list('BENCH_TREES', 'floor,.')
  const scripts = trees
    .filter((tree) => tree !== 'floor')
    .map((tree) => resolve(tree, 'dist/server.js'))
  const size = process.env['BENCH_BUSY'] ? oneBusyTenant : spread
  const bed = await makeBed((text) => process.stderr.write(`  ${text}\n`), size, scripts)
  try {
    const servers = trees[0] === 'floor' ? [bed.floor, ...bed.apis] : bed.apis
    const [a, b] = servers
    if (a === undefined || b === undefined) throw new Error('BENCH_TREES must name two')
    for (const row of rows) {
      if (!new RegExp(process.env['BENCH_ROWS'] ?? '').test(row.name)) continue
      for (const connections of list('BENCH_CONNECTIONS', '1,16,64').map(Number)) {
        await compare(bed, row, connections, [a, b])
      }
    }
  } finally {
    await bed.close()
  }
}

async function compare(
  { floor, round, stores, example }: Bed,
  row: Row,
  connections: number,
  [a, b]: readonly [MeasuredServer, MeasuredServer],
): Promise<void> {
  const freshQuotes = () => insertQuotes(stores.databaseUrl, round.callers, example, quotesPerRound)
  const turn = async (server: MeasuredServer) => {
    const next = await row[server === floor ? 'floor' : 'api']({ ...round, freshQuotes })
    return measure(server, next, { connections, status: row.status, forMs: roundMs })
  }
  for (const server of [a, b]) await turn(server)
  const turns: (readonly [Measurement, Measurement])[] = []
  for (let pair = 0; pair < pairs; pair += 1) {
    const early = pair % 2 === 0 ? await turn(a) : undefined
    const ofB = await turn(b)
    turns.push([early ?? (await turn(a)), ofB])
  }
  report(row.name, connections, turns)
}

function report(
  name: string,
  connections: number,
  turns: readonly (readonly [Measurement, Measurement])[],
): void {
  const of = (side: 0 | 1, figure: keyof Measurement) =>
    median(turns.map((turn) => turn[side][figure]))
  const ratios = turns.map(([a, b]) => b.cpuMicros / a.cpuMicros)
  const { low, high, noisy } = spreadOf(ratios)
  const whole = (figure: keyof Measurement) =>
    `${of(0, figure).toFixed(0)} → ${of(1, figure).toFixed(0)}`
  const p99 = `${of(0, 'p99Ms').toFixed(1)} → ${of(1, 'p99Ms').toFixed(1)}`
  process.stdout.write(
    `${`${name}, ${connections}`.padEnd(34)} CPU µs ${whole('cpuMicros').padEnd(12)} ×${median(ratios).toFixed(3)}` +
      ` [${low.toFixed(2)}–${high.toFixed(2)}]${noisy ? ' too noisy' : ''}  req/s ${whole('perSecond').padEnd(16)} p99 ms ${p99}\n`,
  )
}
