import { once } from 'node:events'
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** Where a proxied server really is. */
export type Upstream = { readonly path: string } | { readonly host: string; readonly port: number }

/** Points of one redemption as the network sees it, in PostgreSQL's protocol. */
export type RedemptionPoint = 'sent' | 'answered'

/** A TCP proxy on loopback that fails as told, for everybody who is connected through it. */
export interface FaultProxy {
  readonly port: number
  /** Everything passes again; what a blackhole held back arrives now. */
  heal(): void
  /** Refuses new connections and resets those there are. */
  down(): void
  slow(latencyMs: number, jitterMs?: number): void
  throttle(bytesPerSecond: number): void
  /** Swallows all bytes, without a word to either side. */
  blackhole(): void
  reset(): void
  /** Sends new connections elsewhere. */
  moveTo(upstream: Upstream): void
  /** Cuts or holds the next connection that gets to this point; resolves when one did. */
  trap(point: RedemptionPoint, action: 'cut' | 'hold'): Promise<void>
  stop(): Promise<void>
}

interface Trap {
  readonly point: RedemptionPoint
  readonly action: 'cut' | 'hold'
  readonly sprung: () => void
}

interface Link {
  readonly client: Socket
  readonly server: Socket
  redeeming: boolean
}

// CommandComplete of the one row, then ReadyForQuery outside a transaction: it is committed.
const answered = Buffer.from('SELECT 1\0Z\0\0\0\u0005I', 'latin1')

/** Reads a server's URL as our clients would: the `host` or `path` parameter names a socket. */
export function upstreamOf(url: string): Upstream {
  const { hostname, port, searchParams, protocol } = new URL(url)
  const redisSocket = searchParams.get('path')
  if (redisSocket !== null) return { path: redisSocket }
  const directory = searchParams.get('host')
  if (directory?.startsWith('/')) return { path: `${directory}/.s.PGSQL.${port || 5432}` }
  const usual = protocol.startsWith('redis') ? 6379 : 5432
  return { host: hostname, port: port === '' ? usual : Number(port) }
}

/** The URL of the same database behind a proxy. */
export function proxiedUrl(url: string, { port }: Pick<FaultProxy, 'port'>): string {
  const through = new URL(url)
  through.searchParams.delete('host')
  through.searchParams.delete('path')
  through.hostname = '127.0.0.1'
  through.port = String(port)
  return through.href
}

export async function startFaultProxy(initial: Upstream): Promise<FaultProxy> {
  let upstream = initial
  let refusing = false
  let pace = async (_bytes: number) => {}
  let trap: Trap | undefined
  let open = Promise.resolve()
  let opened = () => {}
  const links = new Set<Link>()

  const destroyAll = () => {
    for (const { client, server } of links) {
      client.resetAndDestroy()
      server.destroy()
    }
  }
  const springs = (link: Link, upwards: boolean, chunk: Buffer): Trap | undefined => {
    // The driver sends one statement at a time, and reuses its connections for others.
    if (upwards) link.redeeming = chunk.includes('redeem_quote')
    if (!link.redeeming || trap === undefined) return undefined
    const there = trap.point === 'sent' ? upwards : !upwards && chunk.includes(answered)
    return there ? trap : undefined
  }
  const pump = (link: Link, from: Socket, to: Socket) => {
    let held = false
    from.on('data', async (chunk: Buffer) => {
      from.pause()
      const caught = springs(link, from === link.client, chunk)
      if (caught !== undefined) {
        trap = undefined
        held = caught.action === 'hold'
        caught.sprung()
        if (held) return
        link.client.resetAndDestroy()
        link.server.destroy()
        return
      }
      await pace(chunk.length)
      await open
      if (!to.destroyed) to.write(chunk)
      from.resume()
    })
    from.on('error', () => {})
    from.on('close', async () => {
      await open
      links.delete(link)
      to.destroy()
    })
  }

  const listener = createServer((client) => {
    if (refusing) {
      client.resetAndDestroy()
      return
    }
    const link = { client, server: connect(upstream as NetConnectOpts), redeeming: false }
    links.add(link)
    pump(link, client, link.server)
    pump(link, link.server, client)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0

  const heal = () => {
    refusing = false
    pace = async () => {}
    opened()
    open = Promise.resolve()
  }
  return {
    port,
    heal,
    down() {
      refusing = true
      destroyAll()
    },
    slow(latencyMs, jitterMs = 0) {
      pace = async () => delay(latencyMs + Math.random() * jitterMs)
    },
    throttle(bytesPerSecond) {
      pace = async (bytes) => delay((bytes / bytesPerSecond) * 1_000)
    },
    blackhole() {
      open = new Promise((resolve) => {
        opened = resolve
      })
    },
    reset: destroyAll,
    moveTo(elsewhere) {
      upstream = elsewhere
    },
    trap(point, action) {
      return new Promise((resolve) => {
        trap = { point, action, sprung: resolve }
      })
    },
    async stop() {
      heal()
      destroyAll()
      listener.close()
      await once(listener, 'close')
    },
  }
}
