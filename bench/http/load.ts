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
  /** The only status that may come; left out: any, and connections may be closed. */
  readonly status?: number
  /** Requests a second; left out: each connection sends as soon as it was answered. */
  readonly perSecond?: number
  /** Where latencies begin; left out: when a request is due, however late it is sent. */
  readonly latencyFrom?: 'due' | 'sent'
}

export interface LoadResult {
  readonly seconds: number
  /** Sorted milliseconds of the answers by their status; `closed` of connections without one. */
  readonly latencies: ReadonlyMap<number, readonly number[]>
}

/** Instead of a status: the connection was closed before an answer came. */
const closed = 0

/** The latency that this share of the answers stayed below. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor(sorted.length * share)] ?? Number.NaN

/**
 * Loads a server over keep-alive connections. Our own, because a booking needs another quote and
 * key each time, and the generator shares the machine: it must cost little and measure both sides
 * of a comparison the same way.
 */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const { port, connections, forMs, perSecond } = options
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const latencies = new Map<number, number[]>()
  const startedMs = performance.now()
  const endMs = startedMs + forMs
  const due = perSecond === undefined ? undefined : schedule(startedMs, endMs, perSecond)
  await Promise.all(
    sockets.map((socket) => keepBusy(socket, { ...options, endMs, due, latencies })),
  )
  const seconds = (performance.now() - startedMs) / 1000
  for (const each of latencies.values()) each.sort((a, b) => a - b)
  return { seconds, latencies }
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

interface Load extends LoadOptions {
  readonly endMs: number
  readonly due: (() => number | undefined) | undefined
  readonly latencies: Map<number, number[]>
}

/** Uses a connection until the time is over, and another one when it is closed meanwhile. */
async function keepBusy(first: Socket, load: Load): Promise<void> {
  let socket = first
  while ((await useConnection(socket, load)) === 'closed') {
    if (load.status !== undefined) throw new Error('A connection was closed')
    socket = await open(load.port)
  }
  socket.destroy()
}

/** Sends one request after the other on one connection. */
function useConnection(socket: Socket, load: Load): Promise<'done' | 'closed'> {
  const { next, endMs, due, latencies, latencyFrom = 'due' } = load
  return new Promise((resolve, reject) => {
    let beganMs = 0
    let status = closed
    let missing = 0
    const write = (request: Buffer) => {
      const nowMs = performance.now()
      // A timer may be up to a millisecond early.
      beganMs = latencyFrom === 'sent' ? nowMs : Math.min(beganMs, nowMs)
      socket.write(request)
    }
    const send = () => {
      const dueMs = due === undefined ? performance.now() : due()
      const request = dueMs === undefined || dueMs >= endMs ? undefined : next()
      if (dueMs === undefined || request === undefined) {
        socket.off('close', cutOff)
        return resolve('done')
      }
      beganMs = dueMs
      const waitMs = dueMs - performance.now()
      if (waitMs <= 0) return write(request)
      return setTimeout(write, waitMs, request)
    }
    const answered = () => {
      const known = latencies.get(status)
      if (known === undefined) latencies.set(status, [performance.now() - beganMs])
      else known.push(performance.now() - beganMs)
    }
    const cutOff = () => {
      status = closed
      answered()
      resolve('closed')
    }
    socket.on('data', (chunk) => {
      if (missing > 0) missing -= chunk.length
      else [status, missing] = readHead(chunk, load.status)
      if (missing > 0) return
      answered()
      send()
    })
    socket.on('error', (error) => load.status !== undefined && reject(error))
    socket.on('close', cutOff)
    send()
  })
}

/** The status, and how many bytes of the answer are still to come after its first chunk. */
function readHead(chunk: Buffer, wanted: number | undefined): [status: number, missing: number] {
  const headEnd = chunk.indexOf('\r\n\r\n')
  const head = chunk.toString('latin1', 0, headEnd)
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1])
  if (headEnd === -1 || (wanted ?? status) !== status) {
    throw new Error(`Expected ${wanted ?? 'an answer'}, got:\n${chunk.toString('utf8')}`)
  }
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? '0'
  return [status, headEnd + 4 + Number(length) - chunk.length]
}
