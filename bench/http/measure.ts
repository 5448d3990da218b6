import { load, type NextRequest, percentile } from './load.ts'
import type { MeasuredServer } from './processes.ts'

/** One measurement of one side: throughput, latencies, and what the server's processor did. */
export interface Measurement {
  readonly answered: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Microseconds of processor time of the server process, a request. */
  readonly cpuMicros: number
}

export interface LoadShape {
  readonly connections: number
  readonly status: number
  readonly forMs: number
  readonly perSecond?: number
}

export async function measure(
  server: MeasuredServer,
  next: NextRequest,
  shape: LoadShape,
): Promise<Measurement> {
  const before = await server.usage()
  const { seconds, latencies } = await load({ ...shape, port: server.port, next })
  const after = await server.usage()
  const good = latencies.get(shape.status)
  if (good === undefined) throw new Error('Nothing was answered')
  return {
    answered: good.length,
    perSecond: good.length / seconds,
    p50Ms: percentile(good, 0.5),
    p99Ms: percentile(good, 0.99),
    cpuMicros: (after.cpuMicros - before.cpuMicros) / good.length,
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low = Number.NaN, high = low] = [sorted[middle - 1 + (sorted.length % 2)], sorted[middle]]
  return (low + high) / 2
}

/** The middle half of the values, and whether it is too wide for their median to mean anything. */
export function spreadOf(values: readonly number[]) {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
  const [low, high] = [at(0.25), at(0.75)]
  return { low, high, noisy: !(high - low <= 0.25 * median(values)) }
}

/** The median of each figure over the rounds. */
export function medianOf(measurements: readonly Measurement[]): Measurement {
  const of = (figure: keyof Measurement) => median(measurements.map((each) => each[figure]))
  return {
    answered: of('answered'),
    perSecond: of('perSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    cpuMicros: of('cpuMicros'),
  }
}
