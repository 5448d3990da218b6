import process from 'node:process'
import { describe, expect, it } from 'vitest'
import { attack, slowBody } from '../attacks/attacks.ts'
import { endlessly } from '../faults/insertQuotes.ts'
import { brokenInvariants } from '../faults/invariants.ts'
import type { Replica } from '../helpers/replica.ts'
import { aKey } from '../helpers/seed.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { useProxiedWorld } from './proxiedWorld.ts'

const proxied = useProxiedWorld()
const { world } = proxied
const patienceMs = 30_000
const bookers = 3

const read = () =>
  fetch(`${proxied.proxy.url}/api/v1/asset-groups`, {
    headers: { authorization: `Bearer ${world.key.key}` },
  })

/** Resolves when the proxy sends requests to exactly these replicas. */
const serving = (...names: string[]) =>
  waitFor(async () => `${await proxied.proxy.serving()}` === `${names}`, patienceMs)

/** Reads and books continuously until `stop` is called. */
function load() {
  const recorder = world.recorder([{ url: proxied.proxy.url } as Replica])
  const reads: number[] = []
  let running = true
  const nextQuote = endlessly(() => world.quotes(500))
  const booker = async () => {
    while (running) {
      await recorder.book(0, { quoteId: await nextQuote() })
      reads.push((await read()).status)
    }
  }
  const started = Promise.all(Array.from({ length: bookers }, booker))
  return {
    async stop() {
      running = false
      await started
      const booked = recorder.history.map(({ status }) => status)
      const violations = [...(await recorder.finish()), ...(await brokenInvariants(world.database))]
      return { booked: new Set(booked), reads: new Set(reads), count: booked.length, violations }
    },
  }
}

describe('replicas behind the proxy', () => {
  it('sends no requests to a draining replica, which still responds to direct requests', async () => {
    const [leaving] = world.replicas
    leaving?.signal('SIGTERM')
    await serving('api-2-1')
    // The replica still responds when it is requested directly.
    expect((await fetch(`${leaving?.url}/healthz`)).status).toBe(200)
    for (let n = 0; n < 10; n++) {
      const response = await read()
      expect(response.status).toBe(200)
      expect(await proxied.servedBy(response.headers.get('x-request-id'))).toBe(1)
    }
    expect(await leaving?.exited).toBe(0)
    await proxied.restart(0)
    await serving('api-1-1', 'api-2-1')
  })

  it('fails no request when both replicas are replaced in turn', async () => {
    const requests = load()
    for (const [index, other] of [
      [0, 'api-2-1'],
      [1, 'api-1-1'],
    ] as const) {
      world.replicas[index]?.signal('SIGTERM')
      await serving(other)
      expect(await world.replicas[index]?.exited).toBe(0)
      await proxied.restart(index)
      await serving('api-1-1', 'api-2-1')
    }
    const { booked, reads, count, violations } = await requests.stop()
    expect(count).toBeGreaterThan(10)
    expect([[...booked], [...reads], violations]).toEqual([[202], [200], []])
  })

  it('serves reads from the other replica when one is killed', async () => {
    await world.replicas[0]?.kill()
    for (let n = 0; n < 10; n++) expect((await read()).status).toBe(200)
    await serving('api-2-1')
    await proxied.restart(0)
    await serving('api-1-1', 'api-2-1')
  })

  // Only Linux accepts all addresses of 127.0.0.0/8 without configuration.
  it.runIf(process.platform === 'linux')(
    'serves other clients while one key sends bodies slowly on 570 connections',
    async () => {
      const { key } = await aKey(world.database, world.tenantId)
      const target = new URL(proxied.proxy.url)
      // The proxy accepts 200 connections of an address.
      const all = ['127.0.0.2', '127.0.0.3', '127.0.0.4'].map((localAddress) =>
        attack(target, slowBody(key), { connections: 190, reopen: true, localAddress }),
      )
      await waitFor(() => all.every((attackers) => attackers.open() === 190))
      for (let n = 0; n < 40; n++) expect((await read()).status).toBe(200)
      for (const attackers of all) attackers.stop()
    },
  )

  it('returns 503 SERVICE_UNAVAILABLE with Retry-After when no replica is left', async () => {
    for (const replica of world.replicas) await replica.kill()
    await serving()
    const response = await read()
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await response.json()).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } })
    await Promise.all([proxied.restart(0), proxied.restart(1)])
    await serving('api-1-1', 'api-2-1')
    expect((await read()).status).toBe(200)
  })
})
