import { once } from 'node:events'
import {
  createServer,
  get as httpGet,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { refuseOverload } from '../../src/http/door/overload.ts'
import { createLog } from '../../src/log.ts'
import { openMetrics } from '../../src/metrics/metrics.ts'
import { expectError } from '../helpers/answers.ts'
import { testClock } from '../helpers/clock.ts'

/** How long a request may wait for a place, and how long refusals are gathered for a line. */
const secondMs = 1_000

// The second is let pass by the tests, so that each knows who is in its turn; the network is real.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(async () => {
  vi.useRealTimers()
  for (const end of ends.splice(0)) await end()
})
const ends: (() => Promise<unknown>)[] = []

/** Free places are given away in the next turn of the event loop. */
async function fewTurns(): Promise<void> {
  for (let n = 0; n < 5; n += 1) await turn()
}

/** A server with one place. A request keeps it until the test answers; `/api/brief` is answered at once. */
async function aServerOfOne() {
  const inside: { readonly url: string | undefined; readonly answer: () => void }[] = []
  const lines: string[] = []
  const destination = new PassThrough()
  destination.on('data', (data: Buffer) => lines.push(data.toString()))
  const lifecycle = { draining: false }
  const clock = testClock()
  const config = parseConfig({ REQUESTS_IN_PROGRESS_MAX: '1' })
  const handle: RequestListener = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/api/brief') response.end()
    else inside.push({ url: request.url, answer: () => response.end() })
    request.on('end', () => server.emit('read to its end')).resume()
  }
  const deps = { clock, config, lifecycle, log: createLog('info', destination) }
  const listen = refuseOverload({ ...deps, metrics: openMetrics() }, handle)
  const server = createServer((request, response) => {
    listen(request, response)
    server.emit('come in')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(async () => {
    server.close()
    server.closeAllConnections()
  })
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  /** Resolves as soon as the request has come in; its answer is another matter. */
  const ask = async (path: string) => {
    const comeIn = once(server, 'come in')
    const asked = httpGet(base + path)
    const answer = once(asked, 'response').then(async ([message]) => {
      const body = await text(message)
      const { statusCode: status, headers } = message
      return { status, headers, text: body, body: body === '' ? {} : JSON.parse(body) }
    })
    // Who still holds a place when a test ends is cut off, and nobody looks at that answer.
    answer.catch(() => {})
    await comeIn
    return { answer, leave: () => asked.destroy() }
  }
  /** Fills the only place, and has as many refused as are asked for. */
  const overload = async (count: number) => {
    if (inside.length === 0) await ask('/api/held')
    const refused = []
    for (let n = 0; n < count; n += 1) refused.push(await ask('/api/refused'))
    vi.advanceTimersByTime(secondMs)
    return Promise.all(refused.map(({ answer }) => answer))
  }
  return { server, base, inside, lines, lifecycle, clock, ask, overload }
}

describe('a request that waits for a place', () => {
  it('is refused when its own time is up, and those who came later wait on and get in', async () => {
    const { ask, inside } = await aServerOfOne()
    const held = await ask('/api/held')
    const earlier = await ask('/api/earlier')
    vi.advanceTimersByTime(secondMs - 1)
    const later = await ask('/api/later')
    vi.advanceTimersByTime(1)
    expectError(await earlier.answer, 503, 'SERVICE_UNAVAILABLE')
    inside[0]?.answer()
    await held.answer
    await fewTurns()
    expect(inside.map(({ url }) => url)).toEqual(['/api/held', '/api/later'])
    vi.advanceTimersByTime(secondMs)
    inside[1]?.answer()
    expect((await later.answer).status).toBe(200)
  })

  it('gets the place that somebody who came later and left would have had', async () => {
    const { server, ask, inside } = await aServerOfOne()
    const held = await ask('/api/held')
    await ask('/api/earlier')
    const connected = once(server, 'connection')
    const later = await ask('/api/later')
    const [socket] = await connected
    later.leave()
    await once(socket, 'close')
    inside[0]?.answer()
    await held.answer
    await fewTurns()
    expect(inside.map(({ url }) => url)).toEqual(['/api/held', '/api/earlier'])
  })

  it('is refused at once when five thousand wait already', async () => {
    const { server, ask } = await aServerOfOne()
    const { port } = server.address() as AddressInfo
    await ask('/api/held')
    let come = 0
    const allCome = new Promise<void>((resolve) => {
      server.on('come in', () => ++come === 5_000 && resolve())
    })
    const storm = connect(port, '127.0.0.1')
    storm.write('GET /api/storm HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(5_000))
    await allCome
    const late = await ask('/api/late')
    // No time has passed: nobody else was told anything.
    expectError(await late.answer, 503, 'SERVICE_UNAVAILABLE')
    storm.destroy()
  })
})

describe('a place', () => {
  it('is given up while a body is on its way, and taken again when it has come', async () => {
    const { server, base, ask, inside } = await aServerOfOne()
    const slow = httpRequest(`${base}/api/held`, { method: 'POST' })
    const answer = once(slow, 'response')
    const comeIn = once(server, 'come in')
    slow.write('first half')
    await comeIn
    expect((await (await ask('/api/brief')).answer).status).toBe(200)
    const read = once(server, 'read to its end')
    slow.end('second half')
    await read
    const refused = await ask('/api/brief')
    await fewTurns()
    vi.advanceTimersByTime(secondMs)
    expectError(await refused.answer, 503, 'SERVICE_UNAVAILABLE')
    inside[0]?.answer()
    const [{ statusCode }] = await answer
    expect(statusCode).toBe(200)
    // And free again with the answer: a hundred such bodies would otherwise take all places for good.
    await fewTurns()
    await ask('/api/next')
    expect(inside.map(({ url }) => url)).toEqual(['/api/held', '/api/next'])
  })

  it.each([
    ['given up again, if the rest never comes', false],
    ['taken again, if the rest comes all the same', true],
  ])('that was given up so is, with an answer that comes first, not %s', async (_, comes) => {
    const { server, base, ask, inside } = await aServerOfOne()
    const slow = httpRequest(`${base}/api/held`, { method: 'POST' })
    const answer = once(slow, 'response')
    const comeIn = once(server, 'come in')
    slow.write('first half')
    await comeIn
    await fewTurns()
    inside[0]?.answer()
    await answer
    if (comes) {
      const read = once(server, 'read to its end')
      slow.end('second half')
      await read
    }
    slow.on('error', () => {}).destroy()
    await ask('/api/one')
    await ask('/api/another')
    expect(inside.map(({ url }) => url)).toEqual(['/api/held', '/api/one'])
  })
})

it('a body that is answered before it is awaited gives its place back once', async () => {
  const { server, base, ask, inside } = await aServerOfOne()
  const slow = httpRequest(`${base}/api/brief`, { method: 'POST' }).on('error', () => {})
  const answer = once(slow, 'response')
  const comeIn = once(server, 'come in')
  slow.write('first half')
  await comeIn
  await answer
  await fewTurns()
  await ask('/api/one')
  await ask('/api/another')
  await fewTurns()
  expect(inside.map(({ url }) => url)).toEqual(['/api/one'])
  slow.destroy()
})

describe('a place counts work, not delivery', () => {
  it('an answer that waits behind another on its connection holds none', async () => {
    const { server, ask, inside } = await aServerOfOne()
    const { port } = server.address() as AddressInfo
    const silent = connect(port, '127.0.0.1')
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
    const comeIn = new Promise<void>((resolve) => {
      server.once('come in', () => server.once('come in', resolve))
    })
    // A probe takes no place.
    silent.write(get('/healthz') + get('/api/brief'))
    await comeIn
    expect((await (await ask('/api/brief')).answer).status).toBe(200)
    inside[0]?.answer()
    silent.destroy()
  })

  it('is kept for as long as there is work, even for somebody who has gone away', async () => {
    const { server, ask, inside } = await aServerOfOne()
    const connected = once(server, 'connection')
    const { leave } = await ask('/api/held')
    const [connection] = await connected
    leave()
    await once(connection, 'close')
    const refused = await ask('/api/brief')
    await fewTurns()
    vi.advanceTimersByTime(secondMs)
    expectError(await refused.answer, 503, 'SERVICE_UNAVAILABLE')
    inside[0]?.answer()
    await fewTurns()
    expect((await (await ask('/api/brief')).answer).status).toBe(200)
  })
})

describe('a refusal', () => {
  it('is in the log each time that the server is full, with how many there were', async () => {
    const { lines, overload } = await aServerOfOne()
    const reported = () =>
      lines
        .map((line) => JSON.parse(line))
        .map(({ msg, refused, inProgress }) => ({ msg, refused, inProgress }))
    const msg = 'overloaded: requests were refused'
    await overload(3)
    expect(reported()).toEqual([])
    vi.advanceTimersByTime(secondMs)
    expect(reported()).toEqual([{ msg, refused: 3, inProgress: 1 }])
    await overload(2)
    vi.advanceTimersByTime(secondMs)
    expect(reported().slice(1)).toEqual([{ msg, refused: 2, inProgress: 1 }])
    // Without a new refusal there is nothing to say.
    vi.advanceTimersByTime(10 * secondMs)
    expect(reported()).toHaveLength(2)
  })

  it('says when the window ends as of now, not as of the first refusal', async () => {
    const { clock, overload } = await aServerOfOne()
    for (const laterSeconds of [0, 1, 3_600]) {
      clock.advanceSeconds(laterSeconds)
      const [refused] = await overload(1)
      const nowSeconds = Math.floor(clock.now().getTime() / 1000)
      expect(refused?.headers).toMatchObject({
        'x-ratelimit-limit': '60',
        'x-ratelimit-remaining': '60',
        'x-ratelimit-reset': String(nowSeconds + 60),
      })
    }
  })

  it('keeps the connection, but closes it once the server is about to end', async () => {
    const { lifecycle, overload } = await aServerOfOne()
    const connectionOf = async () => (await overload(1))[0]?.headers['connection']
    expect(await connectionOf()).toBe('keep-alive')
    lifecycle.draining = true
    expect(await connectionOf()).toBe('close')
  })
})
