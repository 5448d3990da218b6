import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { json } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { useWorld } from '../faults/world.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { attack, attacksWith } from './attacks.ts'
import { figuresOf } from './figures.ts'
import { goodCaller } from './goodCaller.ts'

const patienceMs = 50_000
const world = useWorld({ replicas: 1, proxied: false })
const connections = 5
const goodRequests = 60
/** More than Node by itself would let wait. */
const callersAtOnce = 600
const megabyte = 2 ** 20

const url = () => world.replicas[0]?.url ?? ''

const figures = () => figuresOf(url())
const figure = async (name: string) => (await figures()).get(name) ?? 0

describe('a replica that is attacked in ten ways at once', () => {
  it('serves everybody else, and afterwards holds nothing of it', async () => {
    const ask = goodCaller(world)
    await ask(0)
    const before = await figures()
    const target = new URL(url())
    const all = Object.values(attacksWith(world.key.key)).map((how) =>
      attack(target, how, { connections, again: false }),
    )
    const statuses: number[] = []
    for (let n = 0; n < goodRequests; n++) statuses.push(await ask(n))
    expect(new Set(statuses)).toEqual(new Set([200, 202]))
    expect((await fetch(`${url()}/readyz`)).status).toBe(200)
    for (const attackers of all) attackers.stop()
    await waitFor(async () => (await figure('rental_http_requests_in_progress')) === 0, patienceMs)
    // Linux only; elsewhere they are not told. One or two more: connections of our own.
    const descriptors = before.get('process_open_fds') ?? 0
    await waitFor(async () => (await figure('process_open_fds')) <= descriptors + 2, patienceMs)
    const grownBytes =
      (await figure('process_resident_memory_bytes')) -
      (before.get('process_resident_memory_bytes') ?? 0)
    expect(grownBytes).toBeLessThan(300 * megabyte)
  })
})

describe('a replica that is busy for a moment', () => {
  const portEnd = (port = 0) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  /** Those of them the kernel has taken, whether or not the process has; a dropped one is not. */
  const taken = async (callers: readonly Socket[], port: number) => {
    const ours = new Set(callers.map(({ localPort }) => portEnd(localPort)))
    const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n')
    const ends = lines.map((line) => line.trim().split(/\s+/))
    return ends.filter(
      ([, local, remote = '', state]) =>
        local?.endsWith(portEnd(port)) && ours.has(remote.slice(-5)) && state === '01',
    ).length
  }

  it.runIf(process.platform === 'linux')('has those who connect wait, and drops none', async () => {
    const port = Number(new URL(url()).port)
    world.replicas[0]?.signal('SIGSTOP')
    const callers = Array.from({ length: callersAtOnce }, () =>
      connect(port, '127.0.0.1').on('error', () => {}),
    )
    try {
      await waitFor(async () => (await taken(callers, port)) === callersAtOnce, patienceMs)
    } finally {
      world.replicas[0]?.signal('SIGCONT')
      for (const caller of callers) caller.destroy()
    }
  })
})

describe('a replica that can open nothing any more', () => {
  const descriptorsMax = (max: string) =>
    promisify(execFile)('prlimit', [`--pid=${world.replicas[0]?.pid}`, `--nofile=${max}`])

  it.runIf(process.platform === 'linux')('says that it is not ready, and when it is', async () => {
    // Kept, since a new one could not be accepted.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const readiness = async () => {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        get(`${url()}/readyz`, { agent }, resolve).on('error', reject)
      })
      return { status: answer.statusCode, body: await json(answer) }
    }
    const ready = { status: 200, body: { status: 'ready' } }
    expect(await readiness()).toEqual(ready)
    await descriptorsMax('3:')
    expect(await readiness()).toEqual({
      status: 503,
      body: { status: 'unavailable', descriptors: 'exhausted' },
    })
    await descriptorsMax('1024:')
    expect(await readiness()).toEqual(ready)
    agent.destroy()
  })
})
