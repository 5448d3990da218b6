import { load, type NextRequest } from './load.ts'
import type { MeasuredServer } from './processes.ts'

export interface Measurement {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** CPU time of the server's process per request, in microseconds. */
  readonly cpuMicros: number
}

export interface LoadShape {
  readonly connections: number
  readonly status: number
  readonly forMs: number
}

export async function measure(
  server: MeasuredServer,
  next: NextRequest,
  shape: LoadShape,
): Promise<Measurement> {
  const before = await server.cpuMicros()
  const { seconds, latenciesMs } = await load({ ...shape, port: server.port, next })
  const after = await server.cpuMicros()
  const at = (share: number) => latenciesMs[Math.floor(latenciesMs.length * share)] ?? Number.NaN
  return {
    perSecond: latenciesMs.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    cpuMicros: (after - before) / latenciesMs.length,
  }
}

/** Returns the value below which this share of the values lies. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const at = share * (sorted.length - 1)
  const [low = Number.NaN, high = low] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return low + (high - low) * (at % 1)
}

export const median = (values: readonly number[]) => quantile(values, 0.5)

export interface Ratio {
  readonly median: number
  readonly low: number
  readonly high: number
  /** Whether the quartiles are further apart than a quarter of the median. */
  readonly noisy: boolean
}

/** Returns the median and the quartiles of the ratios of two figures, one ratio per round. */
export function ratioOf(ours: readonly number[], theirs: readonly number[]): Ratio {
  const ratios = ours.map((value, round) => value / (theirs[round] ?? Number.NaN))
  const [low, middle, high] = [quantile(ratios, 0.25), median(ratios), quantile(ratios, 0.75)]
  return { median: middle, low, high, noisy: high - low > 0.25 * middle }
}

/** Writes a ratio as `0.71 [0.69–0.74]`, with a note where the quartiles are too far apart. */
export function formatRatio({ median: middle, low, high, noisy }: Ratio): string {
  const [a, b, c] = [middle, low, high].map((value) => value.toFixed(2))
  return `${a} [${b}–${c}]${noisy ? ' too noisy' : ''}`
}
