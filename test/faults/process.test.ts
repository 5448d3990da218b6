import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { customer } from '../helpers/actors.ts'
import { closeGate, gatePoints } from '../helpers/gates.ts'
import { faultRow } from './row.ts'
import { useWorld } from './world.ts'

const preload = ['--import', new URL('./preload.mjs', import.meta.url).href]
const world = useWorld()

const withAction = (name: string, ...nodeOptions: string[]) => ({
  nodeOptions: [...preload, ...nodeOptions],
  env: { FAULT_ON_USR2: name },
})

async function restartWith(name: string, ...nodeOptions: string[]): Promise<void> {
  await world.replicas[0]?.kill()
  await world.replace(0, withAction(name, ...nodeOptions))
}

describe('a replica that stops or crashes', () => {
  faultRow(
    'X-5',
    'a replica is paused (SIGSTOP) inside its transaction',
    world,
    async (recorder, seed) => {
      const call = await world.call()
      const point = gatePoints[seed % gatePoints.length] ?? 'after lock'
      const gate = await closeGate(world.databaseUrl(), point, call)
      const first = recorder.book(0, call)
      await gate.arrived()
      world.replicas[0]?.signal('SIGSTOP')
      expect((await recorder.book(1, call)).code).toBe('REQUEST_IN_PROGRESS')
      await gate.left()
      await gate.open()
      expect(await recorder.settle(call, 1)).toMatchObject({ status: 202 })
      world.replicas[0]?.signal('SIGCONT')
      expect((await first).status).toBe(503)
      expect(await recorder.settle(call)).toMatchObject({ status: 202, replica: 0 })
    },
  )

  const crashes = [['throw'], ['reject'], ['fill', '--max-old-space-size=64']] as const
  faultRow(
    'X-21',
    'a replica crashes by an uncaught error, an unhandled rejection or a full heap',
    world,
    async (recorder, seed) => {
      const [name, ...options] = crashes[seed % crashes.length] ?? ['throw']
      await restartWith(name, ...options)
      const call = await world.call()
      const gate = await closeGate(world.databaseUrl(), 'after booking', call)
      const first = recorder.book(0, call)
      await gate.arrived()
      world.replicas[0]?.signal('SIGUSR2')
      const code = await world.replicas[0]?.exited
      if (name !== 'fill') {
        expect(code).toBe(1)
        expect(world.replicas[0]?.lines().join('\n')).toContain('uncaught error')
      }
      expect((await first).type).toBe('info')
      await gate.open()
      expect(await recorder.settle(call, 1)).toMatchObject({ status: 202 })
      await world.replace(0)
    },
  )

  it.each(['throw', 'reject', 'rejectText'])(
    'exits with 1 and logs the reason without personal data when it crashes (%s)',
    async (name) => {
      const replica = await world.startReplica(withAction(name))
      replica.signal('SIGUSR2')
      expect(await replica.exited).toBe(1)
      const output = replica.lines().join('\n')
      expect(output).toMatch(/(Nobody (expected|awaited) this|not an error).*"uncaught error"/)
      expect(output).not.toContain(customer.lastName)
    },
  )

  faultRow('X-22', 'the event loop is blocked for 3 s', world, async (recorder) => {
    await restartWith('block')
    const calls = await Promise.all([world.call(), world.call(), world.call()])
    world.replicas[0]?.signal('SIGUSR2')
    // The query timeout may fire before the buffered result is read, so 503 is possible.
    for (const response of await Promise.all(calls.map((call) => recorder.book(0, call)))) {
      expect([202, 503]).toContain(response.status)
    }
    for (const call of calls) expect((await recorder.settle(call)).status).toBe(202)
  })

  faultRow('X-23', 'a client resets the connection after sending', world, async (recorder) => {
    const calls = await Promise.all(Array.from({ length: 10 }, () => world.call()))
    for (const call of calls) recorder.recordLost(0, call)
    await Promise.all(calls.map((call) => sendAndReset(world.replicas[0]?.url ?? '', call)))
    const settled = await Promise.all(calls.map((call) => recorder.settle(call, 1)))
    for (const response of settled) expect(response.status).toBe(202)
    expect((await fetch(`${world.replicas[0]?.url}/healthz`)).status).toBe(200)
  })
})

function sendAndReset(url: string, call: { quoteId: string; idempotencyKey: string }) {
  const { hostname, port } = new URL(url)
  const body = JSON.stringify({ quoteId: call.quoteId, customer })
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  return new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
    const request = [
      'POST /api/v1/bookings HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${world.key.key}`,
      `Idempotency-Key: ${call.idempotencyKey}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ].join('\r\n')
    socket.write(`${request}\r\n\r\n${body}`, () => socket.resetAndDestroy())
  })
}
