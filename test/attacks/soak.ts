import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { useWorld } from '../faults/world.ts'
import { aGroup } from '../helpers/seed.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { attack, attacksWith, idle } from './attacks.ts'
import { figuresOf } from './figures.ts'
import { goodCaller } from './goodCaller.ts'

const minutes = Number(process.env['SOAK_MINUTES'] ?? 30)
const minuteMs = 60_000
const patienceMs = 120_000
const goodCallers = 4
const connectionsEach = 20
const idleConnections = 3_000
const groups = 200
const megabyte = 2 ** 20

/** A quick machine books more in half an hour than the limits of other tests allow in a day. */
const roomy = { LIMIT_BOOKINGS_PER_DAY: '1000000000', LIMIT_READS_PER_MINUTE: '1000000000' }
/** What a container of 512 MB has; V8 would let its garbage grow by the memory of the machine. */
const env = { ...roomy, NODE_OPTIONS: '--max-old-space-size=256' }
const world = useWorld({ replicas: 1, proxied: false, env })
const url = () => world.replicas[0]?.url ?? ''

const print = (...cells: (string | number)[]) =>
  process.stdout.write(`${cells.map((cell) => `${cell}`.padStart(14)).join('')}\n`)

/** Good requests until `stop`; what was answered since the last look is taken by `take`. */
function load() {
  const ask = goodCaller(world)
  let seen: { status: number; tookMs: number }[] = []
  let running = true
  let sent = 0
  const caller = async () => {
    while (running) {
      const startedMs = performance.now()
      const status = await ask(sent++).catch(() => 0)
      seen.push({ status, tookMs: performance.now() - startedMs })
    }
  }
  const callers = Promise.all(Array.from({ length: goodCallers }, caller))
  return {
    take() {
      const taken = seen
      seen = []
      const times = taken.map(({ tookMs }) => tookMs).sort((a, b) => a - b)
      const at = (part: number) => Math.round(times[Math.floor(times.length * part)] ?? 0)
      const statuses = taken.map(({ status }) => status)
      const refused = statuses.filter((status) => status !== 200 && status !== 202)
      return { asked: taken.length, refused, p50Ms: at(0.5), p99Ms: at(0.99) }
    },
    stop() {
      running = false
      return callers
    },
  }
}

it(
  'a replica under attack refuses no good request and keeps nothing',
  async () => {
    for (let n = 0; n < groups; n++) await aGroup(world.database, world.tenantId)
    const good = load()
    const refused: number[] = []
    const report = async (when: string, open: number) => {
      const figures = await figuresOf(url())
      const { asked, p50Ms, p99Ms, ...since } = good.take()
      refused.push(...since.refused)
      const memory = Math.round((figures.get('process_resident_memory_bytes') ?? 0) / megabyte)
      const descriptors = figures.get('process_open_fds') ?? 0
      print(when, open, asked, since.refused.length, p50Ms, p99Ms, memory, descriptors)
      return descriptors
    }
    print('minute', 'attackers', 'good', 'refused', 'p50 ms', 'p99 ms', 'memory MB', 'descriptors')
    await delay(minuteMs / 4)
    const before = await report('before', 0)
    const target = new URL(url())
    const attackers = Object.values(attacksWith(world.key.key))
      .map((how) => attack(target, how, { connections: connectionsEach, again: true }))
      .concat(attack(target, idle, { connections: idleConnections, again: true }))
    for (let minute = 1; minute <= minutes; minute++) {
      await delay(minuteMs)
      await report(
        `${minute}`,
        attackers.reduce((sum, { open }) => sum + open(), 0),
      )
    }
    for (const { stop } of attackers) stop()
    await waitFor(async () => {
      await delay(minuteMs / 4)
      return (await report('after', 0)) <= before + 5
    }, patienceMs)
    await good.stop()
    expect(refused).toEqual([])
    expect((await figuresOf(url())).get('rental_http_requests_in_progress')).toBe(0)
  },
  minutes * minuteMs + 4 * patienceMs,
)
