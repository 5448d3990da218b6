import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { closeGate } from '../helpers/gates.ts'
import type { Replica } from '../helpers/replica.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { endlessly } from './insertQuotes.ts'
import { faultRow } from './row.ts'
import { useWorld } from './world.ts'

const world = useWorld()
const exitMaxMs = 15_000
const pollMs = 250
const bookers = 4

const statusOf = async ({ url }: Replica) =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status,
    () => 0,
  )

describe.concurrent('a replica that receives SIGTERM', () => {
  faultRow(
    'X-20a',
    'SIGTERM arrives in the middle of a booking',
    world,
    async (_, seed, useInstead) => {
      const replica = await world.startReplica()
      const alive = [replica]
      const recorder = world.recorder(alive)
      const [quoteId = ''] = await world.quotes(1)
      const call = { quoteId, idempotencyKey: randomUUID() }
      const gate = await closeGate(world.databaseUrl(), 'after booking', call)
      const first = recorder.book(0, call)
      await gate.arrived()
      replica.signal(seed % 2 === 0 ? 'SIGTERM' : 'SIGINT')
      if (seed % 2 === 0) {
        await waitFor(async () => (await statusOf(replica)) === 503, 1_400)
        expect(await (await fetch(`${replica.url}/readyz`)).json()).toEqual({ status: 'draining' })
      }
      await gate.open()
      expect((await first).status).toBe(202)
      expect(await replica.exited).toBe(0)
      // The checker reads the booking back on the remaining replicas.
      alive.splice(0, 1, ...world.replicas)
      useInstead(recorder)
    },
  )

  faultRow(
    'X-20b',
    'SIGTERM arrives while a client never finishes its request',
    world,
    async () => {
      const replica = await world.startReplica()
      const { hostname, port } = new URL(replica.url)
      const idle = connect(Number(port), hostname)
      idle.on('error', () => {})
      idle.write('POST /api/v1/bookings HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{')
      idle.pause()
      await waitFor(async () => (await fetch(`${replica.url}/healthz`)).ok)
      const startedMs = performance.now()
      replica.signal('SIGTERM')
      expect(await replica.exited).toBe(0)
      expect(performance.now() - startedMs).toBeLessThan(exitMaxMs)
      idle.destroy()
    },
  )

  faultRow('X-20c', 'SIGTERM arrives twice and ends the replica at once', world, async () => {
    const replica = await world.startReplica()
    replica.signal('SIGTERM')
    await waitFor(() => replica.lines().join('').includes('stopping'))
    replica.signal('SIGTERM')
    expect(await replica.exited).toBe(1)
    expect(replica.lines().join('')).not.toContain('"phase"')
  })

  it('exits with 1 at once when SIGTERM arrives repeatedly under npm', async () => {
    const replica = await world.startReplica({ env: { npm_lifecycle_event: 'start' } })
    let exited = false
    void replica.exited.then(() => {
      exited = true
    })
    const signalOnce = () => {
      replica.signal('SIGTERM')
      return exited
    }
    await waitFor(signalOnce, exitMaxMs)
    expect(await replica.exited).toBe(1)
  })
})

// Not concurrent: this test replaces the replicas on which the other tests read bookings.
describe('replicas that receive SIGTERM in turn', () => {
  faultRow('X-20d', 'both replicas restart in turn under load', world, async (recorder) => {
    const nextQuote = endlessly(() => world.quotes(500))
    let ready = [0, 1]
    let rolling = true
    const balancer = async () => {
      while (rolling) {
        const statuses = await Promise.all(world.replicas.map(statusOf))
        ready = statuses.flatMap((status, index) => (status === 200 ? [index] : []))
        await delay(pollMs)
      }
    }
    const booker = async (n: number) => {
      for (let sent = n; rolling; sent++) {
        const quoteId = await nextQuote()
        const replica = ready[sent % ready.length]
        if (replica === undefined) throw new Error('No replica is ready')
        expect((await recorder.book(replica, { quoteId })).status).toBe(202)
      }
    }
    const load = [balancer(), ...Array.from({ length: bookers }, (_, n) => booker(n))]
    for (const index of [0, 1]) {
      const replica = world.replicas[index]
      replica?.signal('SIGTERM')
      expect(await replica?.exited).toBe(0)
      // An aborted drain would leave the load balancer too little time.
      expect(replica?.lines().join('')).toContain('"phase":"drain","outcome":"done"')
      await world.replace(index)
      await waitFor(() => ready.includes(index))
    }
    rolling = false
    await Promise.all(load)
  })
})
