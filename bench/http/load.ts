import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'

/** What one connection after the other sends: whole requests, ready to be written. */
export type NextRequest = () => Buffer | undefined

export interface LoadOptions {
  readonly port: number
  readonly connections: number
  readonly forMs: number
  /** The next request; undefined ends the load early. */
  readonly next: NextRequest
  /** The only status that counts as done; any other fails the measurement. */
  readonly status: number
  /** Requests a second; left out: each connection sends as soon as it was answered. */
  readonly perSecond?: number
}

/** Latencies are in milliseconds, from a request being due to its answer being complete. */
export interface LoadResult {
  readonly answered: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/**
 * Loads a server over keep-alive connections. Our own, because a booking needs another quote and
 * key each time, and the generator shares the machine: it must cost little and measure both sides
 * of a comparison the same way.
 */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const { port, connections, forMs, next, status, perSecond } = options
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const latencies: number[] = []
  const startedMs = performance.now()
  const endMs = startedMs + forMs
  const due = perSecond === undefined ? undefined : schedule(startedMs, endMs, perSecond)
  await Promise.all(
    sockets.map((socket) => useConnection(socket, { next, status, endMs, due, latencies })),
  )
  const elapsedMs = performance.now() - startedMs
  for (const socket of sockets) socket.destroy()
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN
  return {
    answered: latencies.length,
    perSecond: (latencies.length * 1000) / elapsedMs,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  }
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject)
  })
  return socket
}

/** When requests are due at a constant rate, whoever sends them; undefined after the end. */
function schedule(startedMs: number, endMs: number, perSecond: number): () => number | undefined {
  let count = 0
  return () => {
    const dueMs = startedMs + (count++ * 1000) / perSecond
    return dueMs < endMs ? dueMs : undefined
  }
}

interface Connection {
  readonly next: NextRequest
  readonly status: number
  readonly endMs: number
  readonly due: (() => number | undefined) | undefined
  readonly latencies: number[]
}

/** Sends one request after the other on one connection until the time is over. */
function useConnection(socket: Socket, load: Connection): Promise<void> {
  const { next, status, endMs, due, latencies } = load
  const statusLine = `HTTP/1.1 ${status} `
  return new Promise((resolve, reject) => {
    let dueMs = 0
    let missing = 0
    const send = () => {
      const nextDueMs = due === undefined ? performance.now() : due()
      const request = nextDueMs === undefined || nextDueMs >= endMs ? undefined : next()
      if (nextDueMs === undefined || request === undefined) return resolve()
      dueMs = nextDueMs
      const waitMs = dueMs - performance.now()
      if (waitMs <= 0) return socket.write(request)
      return setTimeout(() => socket.write(request), waitMs)
    }
    socket.on('data', (chunk) => {
      missing = missing > 0 ? missing - chunk.length : rest(chunk, statusLine)
      if (missing > 0) return
      latencies.push(performance.now() - dueMs)
      send()
    })
    socket.on('error', reject).on('close', () => reject(new Error('A connection was closed')))
    send()
  })
}

/** How many bytes of an answer are still to come after its first chunk. */
function rest(chunk: Buffer, statusLine: string): number {
  const headEnd = chunk.indexOf('\r\n\r\n')
  const head = chunk.toString('latin1', 0, headEnd)
  if (headEnd === -1 || !head.startsWith(statusLine)) {
    throw new Error(`Expected "${statusLine}", got:\n${chunk.toString('utf8')}`)
  }
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? '0'
  return headEnd + 4 + Number(length) - chunk.length
}
