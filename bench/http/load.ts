import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'

/** Returns the next request as it goes over the wire; undefined ends the load. */
export type NextRequest = () => Buffer | undefined

export interface LoadOptions {
  readonly port: number
  readonly connections: number
  readonly forMs: number
  readonly next: NextRequest
  /** The only status a response may have. */
  readonly status: number
}

/**
 * Loads a server over keep-alive connections, each with one request at a time. Returns the elapsed
 * seconds and the sorted latencies in milliseconds.
 * @throws Error on another status or a closed connection
 */
export async function load(options: LoadOptions) {
  const { port, connections, forMs } = options
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const latenciesMs: number[] = []
  const startedMs = performance.now()
  const endMs = startedMs + forMs
  await Promise.all(sockets.map((socket) => keepBusy(socket, { ...options, endMs, latenciesMs })))
  const seconds = (performance.now() - startedMs) / 1000
  for (const socket of sockets) socket.destroy()
  return { seconds, latenciesMs: latenciesMs.sort((a, b) => a - b) }
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  return socket
}

interface Load extends LoadOptions {
  readonly endMs: number
  readonly latenciesMs: number[]
}

function keepBusy(socket: Socket, { next, endMs, status, latenciesMs }: Load): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentMs = 0
    let missingBytes = 0
    const send = () => {
      sentMs = performance.now()
      const request = sentMs < endMs ? next() : undefined
      if (request === undefined) resolve()
      else socket.write(request)
    }
    socket.on('data', (chunk) => {
      try {
        missingBytes = missingBytes > 0 ? missingBytes - chunk.length : bytesMissing(chunk, status)
      } catch (error) {
        return reject(error)
      }
      if (missingBytes > 0) return
      latenciesMs.push(performance.now() - sentMs)
      send()
    })
    socket.on('error', reject).on('close', () => reject(new Error('A connection was closed')))
    send()
  })
}

/** Returns how many bytes of a response are still to come after its first chunk. */
function bytesMissing(chunk: Buffer, status: number): number {
  const headEnd = chunk.indexOf('\r\n\r\n')
  const head = chunk.toString('latin1', 0, headEnd)
  if (headEnd === -1 || !head.startsWith(`HTTP/1.1 ${status} `)) {
    throw new Error(`Expected ${status}, got:\n${chunk.toString('utf8')}`)
  }
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? '0'
  return headEnd + 4 + Number(length) - chunk.length
}
