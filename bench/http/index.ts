import process from 'node:process'
import { type Bed, makeBed } from './bed.ts'
import { type Measurement, measure, medianOf } from './measure.ts'
import { type Row, rows } from './rows.ts'
import { fullSize } from './seed.ts'

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5)
const roundMs = Number(process.env['BENCH_ROUND_MS'] ?? 2_000)
const warmUpMs = 1_000

/** A row's medians on both sides, the median of the rounds' ratios, and the latencies at half load. */
interface RowResult {
  readonly row: Row
  readonly api: Measurement
  readonly floor: Measurement
  readonly ratio: number
  readonly half: Measurement
}

const say = (text: string) => process.stderr.write(`  ${text}\n`)

/** The whole API over HTTP beside its floor, interleaved; prints the table and writes the document. */
export async function benchHttp(): Promise<void> {
  const chosen = process.env['BENCH_ROWS']
  // Such as `--cpu-prof --cpu-prof-dir=.cache/profiles`, to see where the time goes.
  const nodeOptions = process.env['BENCH_NODE_OPTIONS']?.split(' ') ?? []
  const bed = await makeBed(say, fullSize, nodeOptions)
  try {
    for (const row of rows) {
      if (chosen !== undefined && !new RegExp(chosen).test(row.name)) continue
      const result = await benchRow(bed, row)
      process.stdout.write(`${line(result)}\n`)
    }
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
    (each, round) => each.perSecond / (sides.floor[round]?.perSecond ?? 1),
  )
  const half = await measure(bed.api, await row.api(bed.round), {
    ...shape,
    perSecond: api.perSecond / 2,
  })
  ratios.sort((a, b) => a - b)
  return { row, api, floor, half, ratio: ratios[Math.floor(ratios.length / 2)] ?? Number.NaN }
}

function line({ row, api, floor, half, ratio }: RowResult): string {
  const figures = [api.perSecond, floor.perSecond].map((n) => Math.round(n).toString().padStart(8))
  const cpu = [api.cpuMicros, floor.cpuMicros].map((n) => n.toFixed(0).padStart(5))
  const ms = [api.p50Ms, api.p99Ms, floor.p50Ms, floor.p99Ms, half.p50Ms, half.p99Ms].map((n) =>
    n.toFixed(2).padStart(7),
  )
  return [row.name.padEnd(28), ...figures, ratio.toFixed(2).padStart(6), ...cpu, ...ms].join(' ')
}
