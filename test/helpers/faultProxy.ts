import { once } from 'node:events'
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export type Upstream = { readonly path: string } | { readonly host: string; readonly port: number }

/** Points of a redemption that can be recognized in PostgreSQL's protocol. */
type RedemptionPoint = 'sent' | 'responded'

/** A TCP proxy on loopback that injects faults into all its connections. */
export interface FaultProxy {
  readonly port: number
  /** Ends all faults and delivers the bytes that a blackhole held back. */
  heal(): void
  /** Refuses new connections and resets the open ones. */
  down(): void
  slow(latencyMs: number, jitterMs?: number): void
  throttle(bytesPerSecond: number): void
  /** Holds back all bytes without closing connections. */
  blackhole(): void
  reset(): void
  /** Directs new connections to another server. */
  moveTo(upstream: Upstream): void
  /** Cuts or holds the next connection that reaches this point; resolves when that happened. */
  trap(point: RedemptionPoint, action: 'cut' | 'hold'): Promise<void>
  stop(): Promise<void>
}

interface Trap {
  readonly point: RedemptionPoint
  readonly action: 'cut' | 'hold'
  readonly onReached: () => void
}

interface Link {
  readonly client: Socket
  readonly server: Socket
  redeeming: boolean
}

// CommandComplete for one row, then ReadyForQuery outside a transaction: the redemption is committed.
const responseStart = Buffer.from('SELECT 1\0Z\0\0\0\u0005I', 'latin1')

/** Returns the address in a PostgreSQL or Redis URL. The parameter `host` or `path` names a socket. */
export function upstreamOf(url: string): Upstream {
  const { hostname, port, searchParams, protocol } = new URL(url)
  const redisSocket = searchParams.get('path')
  if (redisSocket !== null) return { path: redisSocket }
  const directory = searchParams.get('host')
  if (directory?.startsWith('/')) return { path: `${directory}/.s.PGSQL.${port || 5432}` }
  const usual = protocol.startsWith('redis') ? 6379 : 5432
  return { host: hostname, port: port === '' ? usual : Number(port) }
}

/** Returns the URL of the same database through the proxy. */
export function proxiedUrl(url: string, { port }: Pick<FaultProxy, 'port'>): string {
  const through = new URL(url)
  through.searchParams.delete('host')
  through.searchParams.delete('path')
  through.hostname = '127.0.0.1'
  through.port = String(port)
  return through.href
}

/** The current behaviour of a proxy, shared by all its connections. */
interface State {
  upstream: Upstream
  rejecting: boolean
  pace: (bytes: number) => Promise<void>
  trap: Trap | undefined
  /** Settles when the blackhole ends. */
  open: Promise<void>
  reopen: () => void
  readonly links: Set<Link>
}

const atFullPace = async () => {}

/** Starts a proxy in front of a server, without faults. */
export async function startFaultProxy(upstream: Upstream): Promise<FaultProxy> {
  const state: State = {
    upstream,
    rejecting: false,
    pace: atFullPace,
    trap: undefined,
    open: Promise.resolve(),
    reopen: () => {},
    links: new Set(),
  }
  const listener = createServer((client) => connectThrough(state, client))
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (typeof address !== 'object' || address === null) throw new Error('No port was given')
  return {
    port: address.port,
    ...controls(state),
    async stop() {
      heal(state)
      resetAll(state)
      listener.close()
      await once(listener, 'close')
    },
  }
}

function controls(state: State): Omit<FaultProxy, 'port' | 'stop'> {
  return {
    heal: () => heal(state),
    down() {
      state.rejecting = true
      resetAll(state)
    },
    slow(latencyMs, jitterMs = 0) {
      state.pace = async () => delay(latencyMs + Math.random() * jitterMs)
    },
    throttle(bytesPerSecond) {
      state.pace = async (bytes) => delay((bytes / bytesPerSecond) * 1_000)
    },
    blackhole() {
      state.open = new Promise((resolve) => {
        state.reopen = resolve
      })
    },
    reset: () => resetAll(state),
    moveTo(elsewhere) {
      state.upstream = elsewhere
    },
    trap: (point, action) =>
      new Promise((resolve) => {
        state.trap = { point, action, onReached: resolve }
      }),
  }
}

function heal(state: State): void {
  state.rejecting = false
  state.pace = atFullPace
  state.reopen()
}

function resetAll({ links }: State): void {
  for (const link of links) cut(link)
}

function cut({ client, server }: Link): void {
  client.resetAndDestroy()
  server.destroy()
}

function connectThrough(state: State, client: Socket): void {
  if (state.rejecting) {
    client.resetAndDestroy()
    return
  }
  const server = connect(state.upstream as NetConnectOpts)
  const link = { client, server, redeeming: false }
  state.links.add(link)
  pump(state, link, client, server)
  pump(state, link, server, client)
}

function pump(state: State, link: Link, from: Socket, to: Socket): void {
  from.on('data', async (chunk: Buffer) => {
    from.pause()
    const caught = reachedTrap(state, link, from === link.client, chunk)
    if (caught !== undefined) {
      state.trap = undefined
      if (caught.action === 'cut') cut(link)
      caught.onReached()
      return
    }
    await state.pace(chunk.length)
    await state.open
    if (!to.destroyed) to.write(chunk)
    from.resume()
  })
  // An error on one side closes the other (below).
  from.on('error', () => {})
  from.on('close', async () => {
    await state.open
    state.links.delete(link)
    to.destroy()
  })
}

function reachedTrap(
  { trap }: State,
  link: Link,
  fromClient: boolean,
  chunk: Buffer,
): Trap | undefined {
  // The driver sends one statement at a time and reuses connections for other statements.
  if (fromClient) link.redeeming = chunk.includes('redeem_quote')
  if (!link.redeeming || trap === undefined) return undefined
  const reached = trap.point === 'sent' ? fromClient : !fromClient && chunk.includes(responseStart)
  return reached ? trap : undefined
}
