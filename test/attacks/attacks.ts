import { connect, type Socket } from 'node:net'

/** The behaviour of a hostile client on one connection. */
export interface Attack {
  readonly bytes: string | Buffer
  /**
   * Sent twice a second afterwards. Default: a line end, which is allowed before a request. A client
   * that does not read detects a closed connection only by sending.
   */
  readonly drip?: string
  /** The bytes to read twice a second. Default: none. */
  readonly readBytes?: number
  /** The end of the connection after `bytes`: the client stops sending, or resets it. */
  readonly ending?: 'end' | 'reset'
}

const tickMs = 500
const get = (path: string, ...headers: string[]) =>
  `${[`GET ${path} HTTP/1.1`, 'Host: x', ...headers].join('\r\n')}\r\n\r\n`
const post = (length: number) =>
  `POST /api/v1/quotes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n`

/** Sends a quote's body so slowly that the server ends the request before it is complete. */
export const slowBody = (key: string): Attack => ({
  bytes: `${post(60_000)}X-Api-Key: ${key}\r\n\r\n{`,
  drip: ' ',
})

/** Returns the attacks by name. `key` is a valid key. */
export const attacksWith = (key: string): Readonly<Record<string, Attack>> => ({
  'pipelines 6,000 requests without reading': { bytes: get('/api/v1/x').repeat(6_000) },
  'requests pages without reading': { bytes: get('/docs/swagger-ui-bundle.js').repeat(99) },
  'requests documents without reading': { bytes: get('/openapi.yaml').repeat(99) },
  'requests lists without reading': {
    bytes: get('/api/v1/asset-groups', `X-Api-Key: ${key}`).repeat(99),
  },
  'reads slowly': { bytes: get('/docs/swagger-ui-bundle.js').repeat(9), readBytes: 1_000 },
  'sends a request head slowly': { bytes: 'GET /api/v1/x HTTP/1.1\r\nHost: x\r\nX-A: ', drip: 'a' },
  'sends a request body slowly': slowBody(key),
  'closes its sending side during a request': {
    bytes: `${get('/api/v1/x')}${post(10)}\r\n{`,
    ending: 'end',
  },
  'sends bytes that are not HTTP': {
    bytes: Buffer.from(Array.from({ length: 9_000 }, (_, n) => (n * n) % 251)),
  },
  'resets the connection': {
    bytes: get('/api/v1/asset-groups', `X-Api-Key: ${key}`).repeat(9),
    ending: 'reset',
  },
})

export interface Attackers {
  open(): number
  stop(): void
}

interface Target {
  readonly hostname: string
  readonly port: string
}

interface AttackOptions {
  readonly connections: number
  /** Whether closed connections are reopened soon. */
  readonly reopen: boolean
  /** The address to connect from. */
  readonly localAddress?: string
}

/** Runs an attack on `connections` at a time. */
export function attack(
  { hostname, port }: Target,
  how: Attack,
  { connections, reopen, ...from }: AttackOptions,
): Attackers {
  const sockets = new Set<Socket>()
  let closedCount = 0
  const connectOnce = () => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true, ...from })
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      closedCount += 1
    })
    if (how.readBytes === undefined) socket.pause()
    else socket.on('readable', () => {})
    socket.write(how.bytes, () => {
      if (how.ending === 'end') socket.end()
      if (how.ending === 'reset') socket.resetAndDestroy()
    })
  }
  const tick = () => {
    for (const socket of sockets) {
      if (socket.writable) socket.write(how.drip ?? '\r\n')
      if (how.readBytes !== undefined) socket.read(how.readBytes)
    }
    const closed = reopen ? closedCount : 0
    closedCount = 0
    for (let n = 0; n < closed; n += 1) connectOnce()
  }
  for (let n = 0; n < connections; n += 1) connectOnce()
  const ticking = setInterval(tick, tickMs)
  return {
    open: () => sockets.size,
    stop() {
      clearInterval(ticking)
      for (const socket of sockets) socket.destroy()
    },
  }
}
