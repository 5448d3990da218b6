import process from 'node:process'
import { startApi } from './http/bed.ts'
import { load, percentile } from './http/load.ts'
import type { MeasuredServer } from './http/processes.ts'
import { quoteRequests } from './http/requests.ts'
import { type SeededCaller, seed } from './http/seed.ts'
import { openStores } from './http/stores.ts'

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3)
/** Long enough for opening thousands of connections not to matter. */
const secondsEach = Number(process.env['BENCH_ROUND_MS'] ?? 15_000) / 1000
const capacityConnections = 50
const overloadFactor = 5
const overloadConnections = [500, 3_000]
const oneTenant = { tenants: 1, keysPerTenant: 1, bookingsPerTenant: 100 }

interface Load {
  readonly connections: number
  /** Requests a second of all connections together; as fast as they are answered when left out. */
  readonly perSecond?: number
}

interface Outcome {
  readonly good: number
  readonly refused: number
  readonly other: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** How much of one processor the server had. */
  readonly cpuPercent: number
}

/** Quotes a second at capacity, and of five times as many requests, on real connections. */
export async function benchOverload(): Promise<void> {
  const stores = await openStores()
  const callers = await seed(stores.databaseUrl, oneTenant)
  const api = await startApi(stores)
  try {
    const run = (shape: Load) => send(api, callers, shape)
    await run({ connections: capacityConnections })
    const outcomes: Outcome[][] = [[], ...overloadConnections.map(() => [])]
    // In turn, so that whatever else the machine does meets all of them alike.
    for (let round = 0; round < rounds; round += 1) {
      const peak = await run({ connections: capacityConnections })
      outcomes[0]?.push(peak)
      const perSecond = Math.round(peak.good * overloadFactor)
      for (const [index, connections] of overloadConnections.entries()) {
        outcomes[index + 1]?.push(await run({ connections, perSecond }))
      }
    }
    report(outcomes.map(medianOf))
  } finally {
    await api.stop()
    await stores.stop()
  }
}

async function send(
  api: MeasuredServer,
  callers: readonly SeededCaller[],
  shape: Load,
): Promise<Outcome> {
  const before = await api.usage()
  const { seconds, latencies } = await load({
    ...shape,
    port: api.port,
    forMs: secondsEach * 1000,
    next: quoteRequests(callers),
    // Five times as many as can be answered are never sent when they are due.
    latencyFrom: 'sent',
  })
  const after = await api.usage()
  const good = latencies.get(201) ?? []
  const refused = latencies.get(503)?.length ?? 0
  const all = [...latencies.values()].reduce((sum, { length }) => sum + length, 0)
  return {
    good: good.length / seconds,
    refused: refused / seconds,
    other: (all - good.length - refused) / seconds,
    p50Ms: percentile(good, 0.5),
    p99Ms: percentile(good, 0.99),
    cpuPercent: (after.cpuMicros - before.cpuMicros) / 1e4 / seconds,
  }
}

function medianOf(outcomes: readonly Outcome[]): Outcome {
  const sorted = [...outcomes].sort((a, b) => a.good - b.good)
  const median = sorted[Math.floor(sorted.length / 2)]
  if (median === undefined) throw new Error('Nothing was measured')
  return median
}

function report(outcomes: readonly Outcome[]): void {
  const headings = [
    'quotes/s',
    '503/s',
    'other/s',
    'p50 ms',
    'p99 ms',
    'CPU %',
    'good/CPU s',
    'of peak %',
  ]
  row('load', headings)
  const peak = outcomes[0]?.good ?? 0
  const loads = ['capacity', ...overloadConnections.map(() => `${overloadFactor} times as many`)]
  const connections = [capacityConnections, ...overloadConnections]
  for (const [index, outcome] of outcomes.entries()) {
    // What the server makes of the processor time it gets does not depend on who else wants some.
    const perCpuSecond = (100 * outcome.good) / outcome.cpuPercent
    const figures = [...Object.values(outcome), perCpuSecond, (100 * outcome.good) / peak]
    row(
      `${loads[index]}, ${connections[index]} connections`,
      figures.map((figure) => Math.round(figure).toLocaleString('en-US')),
    )
  }
}

function row(label: string, cells: readonly string[]): void {
  const columns = cells.map((cell) => cell.padStart(11)).join('')
  process.stdout.write(`  ${label.padEnd(36)}${columns}\n`)
}
