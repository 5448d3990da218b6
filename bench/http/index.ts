import process from 'node:process'
import { Redis } from 'ioredis'
import { type Bed, makeBed } from './bed.ts'
import { type Measurement, measure, median, medianOf, spreadOf } from './measure.ts'
import { pgbench } from './pgbench.ts'
import { onItsOwnCore } from './pin.ts'
import {
  describeSetting,
  headingLine,
  type RowResult,
  resultLine,
  writeDocument,
} from './report.ts'
import { type Row, rows } from './rows.ts'
import { fullSize } from './seed.ts'

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5)
const roundMs = Number(process.env['BENCH_ROUND_MS'] ?? 2_000)
const warmUpMs = 1_000

const say = (text: string) => process.stderr.write(`  ${text}\n`)

/**
 * The whole API over HTTP beside its floor, interleaved. Prints a table as it grows; a run of all
 * rows also writes it to `docs/benchmarks.md`. BENCH_ROWS chooses rows by a regular expression.
 */
export async function benchHttp(): Promise<void> {
  const chosen = process.env['BENCH_ROWS']
  const bed = await makeBed(say, fullSize)
  try {
    const idle = await bed.api.usage()
    const results: RowResult[] = []
    process.stdout.write(`${headingLine()}\n`)
    for (const row of rows) {
      if (chosen !== undefined && !new RegExp(chosen).test(row.name)) continue
      const result = await benchRow(bed, row)
      results.push(result)
      process.stdout.write(`${resultLine(result)}\n`)
    }
    if (chosen !== undefined) return
    const notes = [
      ...(await redemptionNotes(bed)),
      ...(await processNotes(bed, idle.residentBytes)),
    ]
    for (const note of notes) process.stdout.write(`${note}\n`)
    const setting = await describeSetting(bed.stores.databaseUrl, await redisVersion(bed))
    await writeDocument({ rows: results, notes, setting })
  } finally {
    await bed.close()
  }
}

async function benchRow(bed: Bed, row: Row): Promise<RowResult> {
  const { connections, status } = row
  const shape = { connections, status, forMs: roundMs }
  const sides = { floor: [] as Measurement[], api: [] as Measurement[] }
  for (let round = 0; round <= rounds; round += 1) {
    for (const side of ['floor', 'api'] as const) {
      const next = await row[side](bed.round)
      const forMs = round === 0 ? warmUpMs : roundMs
      const measured = await measure(bed[side], next, { ...shape, forMs })
      if (round > 0) sides[side].push(measured)
    }
  }
  const [api, floor] = [medianOf(sides.api), medianOf(sides.floor)]
  const ratios = sides.api.map(
    (each, round) => each.perSecond / (sides.floor[round]?.perSecond ?? Number.NaN),
  )
  const half = await atHalfLoad(bed, row, api.perSecond / 2)
  return { row, api, floor, half, ratio: median(ratios), spread: spreadOf(ratios) }
}

/** Both sides at half of what the API can do: what the floor's latencies are, the machine adds. */
async function atHalfLoad(bed: Bed, row: Row, perSecond: number) {
  const shape = { connections: row.connections, status: row.status, forMs: roundMs / 2, perSecond }
  const sides = { floor: [] as Measurement[], api: [] as Measurement[] }
  for (let round = 0; round < rounds; round += 1) {
    for (const side of ['floor', 'api'] as const) {
      const next = await row[side](bed.round)
      sides[side].push(await onItsOwnCore(bed[side], () => measure(bed[side], next, shape)))
    }
  }
  return { api: medianOf(sides.api), floor: medianOf(sides.floor) }
}

/** The function by itself, called by PostgreSQL's own load generator. */
async function redemptionNotes({ stores, round }: Bed): Promise<string[]> {
  const [caller] = round.callers
  const notes: string[] = []
  for (const clients of [16, 64]) {
    const perSecond = caller && (await pgbench(stores.databaseUrl, caller, clients))
    if (perSecond === undefined)
      return ['pgbench is not installed: redemptions by it were not measured']
    notes.push(
      `pgbench calling redeem_quote, ${clients} clients: ${Math.round(perSecond).toLocaleString('en-US')} a second`,
    )
  }
  return notes
}

async function processNotes({ api, floor }: Bed, idleBytes: number): Promise<string[]> {
  const mb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
  const [after, bare] = [await api.usage(), await floor.usage()]
  return [
    `memory: ${mb(after.residentBytes)} after the run (${mb(idleBytes)} with every catalog in memory, before it); the floor's server ${mb(bare.residentBytes)}`,
    `start to ready: ${Math.round(api.readyMs)} ms; the floor's server ${Math.round(floor.readyMs)} ms`,
  ]
}

async function redisVersion({ stores }: Bed): Promise<string> {
  const redis = new Redis(stores.redisUrl)
  const info = await redis.info('server')
  redis.disconnect()
  return /redis_version:(\S+)/.exec(info)?.[1] ?? 'unknown'
}
