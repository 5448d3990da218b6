import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { json } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { attack, attacksWith } from '../attacks/attacks.ts'
import { freePort } from '../helpers/freePort.ts'
import { responsesIn } from '../helpers/rawHttp.ts'
import { aKey } from '../helpers/seed.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { useProxiedWorld } from './proxiedWorld.ts'

const inside = `127.0.0.1:${await freePort()}`
const proxied = useProxiedWorld(
  { LIMIT_VISITOR_SESSIONS_PER_MINUTE: '3' },
  { REQUEST_TIMEOUT: '500ms', INSIDE_BIND: inside },
)
const origin = 'https://shop.example'
const forged = (n: number) => ({
  'x-forwarded-for': `203.0.113.${n}`,
  'x-real-ip': `203.0.113.${n}`,
  forwarded: `for=203.0.113.${n}`,
  'x-forwarded-host': 'elsewhere.example',
})

const send = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(proxied.proxy.url + path, { method, headers })

/** The largest body that the API accepts, without its last byte. */
const largest = '{'.padEnd(65_535)

interface Standing {
  readonly remaining: number
  readonly reset: string | undefined
}

/** Returns the limit status of a caller without a key at this address. */
async function standing(localAddress: string, headers = {}): Promise<Standing> {
  const url = `${proxied.proxy.url}/api/v1/asset-groups`
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    request(url, { localAddress, headers }, resolve).on('error', reject).end()
  })
  expect(await json(response)).toMatchObject({ error: { code: 'API_KEY_REQUIRED' } })
  const { 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset } = response.headers
  return { remaining: Number(remaining), reset: `${reset}` }
}

/** Repeats the requests until all of them fall into one window. */
const inOneWindow = <Status extends { readonly reset: unknown }>(
  measure: () => Promise<Status[]>,
) =>
  waitFor(async () => {
    const responses = await measure()
    return new Set(responses.map(({ reset }) => reset)).size === 1 && responses
  })

/** Sends bytes and returns the first response, if there is one before the connection closes. */
async function responseTo(bytes: string) {
  const { hostname, port } = new URL(proxied.proxy.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(bytes)
  const received = await Promise.race([
    once(socket, 'data').then(([data]) => data as Buffer),
    once(socket, 'end').then(() => Buffer.of()),
    // HAProxy may also reset the connection when it has not read every byte.
  ]).catch(() => Buffer.of())
  socket.destroy()
  return responsesIn(received)[0]
}

describe('the proxy', () => {
  it('distributes requests over both replicas', async () => {
    const headers = { authorization: `Bearer ${proxied.world.key.key}` }
    const seen = new Set<number>()
    for (let n = 0; n < 4; n++) {
      const response = await send('/api/v1/asset-groups', headers)
      expect(response.status).toBe(200)
      seen.add(await proxied.servedBy(response.headers.get('x-request-id')))
    }
    expect([...seen].sort()).toEqual([0, 1])
  })

  it('serves other clients during ten concurrent attacks', async () => {
    const { url } = proxied.proxy
    const { key } = proxied.world.key
    const attackers = Object.values(attacksWith(key)).map((how) =>
      attack(new URL(url), how, { connections: 10, reopen: false }),
    )
    const statuses: number[] = []
    for (let n = 0; n < 40; n++) {
      const response = await send('/api/v1/asset-groups', { authorization: `Bearer ${key}` })
      statuses.push(response.status)
      await response.arrayBuffer()
    }
    expect(new Set(statuses)).toEqual(new Set([200]))
    for (const { stop } of attackers) stop()
  })

  it('counts a caller without a key by its real address when headers are forged', async () => {
    const [before, ...after] = await inOneWindow(async () => [
      await standing('127.0.0.1'),
      await standing('127.0.0.1', forged(1)),
      await standing('127.0.0.1', forged(2)),
    ])
    const left = before?.remaining ?? 0
    expect(after.map(({ remaining }) => remaining)).toEqual([left - 1, left - 2])
  })

  it.runIf(process.platform === 'linux')('counts callers at two addresses separately', async () => {
    const [before, after] = await inOneWindow(async () => {
      const first = await standing('127.0.0.2')
      await standing('127.0.0.1')
      return [first, await standing('127.0.0.2', forged(3))]
    })
    expect(after?.remaining).toBe((before?.remaining ?? 0) - 1)
  })

  it('counts a visitor by the real address when headers are forged', async () => {
    const { database, tenantId } = proxied.world
    const responses = await inOneWindow(async () => {
      const { key } = await aKey(database, tenantId, { origins: [origin] })
      const sent: { status: number; reset: string | null }[] = []
      for (let n = 0; n < 5; n++) {
        const given = { ...forged(n), origin, authorization: `Bearer ${key}` }
        const { status, headers } = await send('/api/v1/sessions', given, 'POST')
        sent.push({ status, reset: headers.get('x-ratelimit-reset') })
      }
      return sent
    })
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 429, 429])
  })

  it.each(['/metrics', '/%6Detrics', '/METRICS', '/metrics?x=1', '/readyz', '/metrics/'])(
    'does not expose %s and returns 404 from the API',
    async (path) => {
      const response = await send(path)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ error: { code: 'NOT_FOUND' } })
      expect(response.headers.get('x-ratelimit-limit')).not.toBeNull()
    },
  )

  it('exposes /healthz and /openapi.json', async () => {
    expect((await send('/healthz')).status).toBe(200)
    expect((await send('/openapi.json')).status).toBe(200)
  })

  it.each([
    ['a body that never arrives', { 'content-length': '10' }, '{', 408, 'VALIDATION_ERROR'],
    // From a replica, the response would be 401 API_KEY_REQUIRED.
    ['64 KiB without the end', { 'content-length': '65536' }, largest, 408, 'VALIDATION_ERROR'],
    ['a body of a gigabyte', { 'content-length': '1000000000' }, '{', 413, 'PAYLOAD_TOO_LARGE'],
  ])('responds to %s in the error envelope', async (_, headers, body, status, code) => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const head = `POST /api/v1/quotes HTTP/1.1\r\nhost: x\r\n${lines.join('')}\r\n`
    const response = await responseTo(head + body)
    expect(response?.status).toBe(status)
    expect(response?.headers['content-type']).toContain('application/json')
    expect(response?.body.error.code).toBe(code)
  })

  it('passes a header that is too long for the API on to the API', async () => {
    const headers = { 'x-long': 'x'.repeat(20_000) }
    const tooLong = await send('/api/v1/asset-groups', headers)
    expect(tooLong.status).toBe(431)
    expect(tooLong.headers.get('x-request-id')).not.toBeNull()
  })

  it('serves health and the metrics of dashboard and alerts on its internal address', async () => {
    expect((await fetch(`http://${inside}/health`)).status).toBe(200)
    expect((await fetch(`http://${inside}/api/v1/asset-groups`)).status).toBe(404)
    const metrics = await (await fetch(`http://${inside}/metrics`)).text()
    const files = ['../../docker/monitoring/grafana/rental.json', '../../examples/alerts.yml']
    const texts = files.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
    const names = [...texts.join('').matchAll(/haproxy_\w+/g)].map(([name]) => name)
    expect(names.length).toBeGreaterThan(2)
    for (const name of names) expect(metrics).toContain(`\n${name}{`)
    expect(metrics).toContain('haproxy_backend_active_servers{proxy="api"} 2')
  })

  it('logs the time in milliseconds and no address, key or query', async () => {
    const key = proxied.world.key.key
    const before = Date.now()
    await send('/api/v1/asset-groups?from=secret', { authorization: `Bearer ${key}` })
    const logged = () => proxied.proxy.lines().filter((line) => line.startsWith('{'))
    await waitFor(() => logged().some((line) => JSON.parse(line).time >= before))
    const lines = logged()
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty('status')
    for (const word of ['127.0.0', key, 'secret', '203.0.113']) {
      expect(lines.join('\n')).not.toContain(word)
    }
  })

  it('logs the method and route template of a request and no text from the caller', async () => {
    await responseTo('GET /a","status":200,"x":" HTTP/1.1\r\nhost: x\r\n\r\n')
    await responseTo('GET /api/v1/bookings/kari","status":200 HTTP/1.1\r\nhost: x\r\n\r\n')
    await responseTo('KARI /kari@example.com HTTP/1.1\r\nhost: x\r\n\r\n')
    await responseTo('nonsense","status":200\r\n\r\n')
    await send('/api/v1/bookings/kari@example.com')
    await send('/api/v1/asset-groups/kari@example.com/rates')
    await send('/api/v1/asset-groups/kari/availability?from=kari')
    await send('/docs')
    const logged = () => proxied.proxy.lines().filter((line) => line.startsWith('{'))
    const expected = [
      'other other',
      'GET other',
      'GET /api/v1/bookings/{id}',
      'GET /api/v1/asset-groups/{id}/rates',
      'GET /api/v1/asset-groups/{id}/availability',
      'GET /docs',
    ]
    await waitFor(() => {
      const requests = logged().map((line) => JSON.parse(line))
      return expected.every((one) =>
        requests.some(({ method, path }) => one === `${method} ${path}`),
      )
    })
    expect(logged().join('\n')).not.toMatch(/kari|nonsense/i)
    for (const line of logged()) expect(line.match(/"status":/g)).toHaveLength(1)
  })
})
