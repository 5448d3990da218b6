import { type AddressInfo, connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { TestApp } from './app.ts'

/** A response read from a raw socket, in the form of supertest's, so that the same checks apply. */
export interface RawResponse {
  readonly status: number
  readonly headers: Record<string, string>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: like supertest's, any JSON.
  readonly body: any
}

export interface RawRequest {
  readonly method: string
  readonly path: string
  /** The headers in order, including duplicates. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: string | Buffer
}

export function connectTo(server: Pick<TestApp, 'app'>): Socket {
  const { port } = server.app.server.address() as AddressInfo
  return connect(port, '127.0.0.1')
}

/** Returns the bytes of a request with `Connection: close`. The head is encoded as latin1. */
function bytesOf({ method, path, headers, body }: RawRequest): Buffer {
  const payload = Buffer.from(body ?? '')
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: api.example',
    'Connection: close',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`Content-Length: ${payload.length}`]),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), payload])
}

/** Sends raw bytes and reads all responses until the server closes the connection. */
export async function exchange(server: TestApp, request: Buffer | string): Promise<RawResponse[]> {
  const socket = connectTo(server)
  socket.write(request)
  return responsesIn(await buffer(socket))
}

/**
 * Sends one request and returns its response.
 * @throws Error unless there is exactly one response
 */
export async function sendRequest(server: TestApp, request: RawRequest): Promise<RawResponse> {
  const responses = await exchange(server, bytesOf(request))
  const [response] = responses
  if (response === undefined || responses.length > 1)
    throw new Error(`${responses.length} responses`)
  return response
}

/** Parses the responses in the received bytes, without interim responses. */
export function responsesIn(received: Buffer): RawResponse[] {
  const responses: RawResponse[] = []
  for (let rest = received; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n')
    const [first = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      }),
    )
    const status = Number(first.split(' ')[1])
    const length = status === 100 || status === 204 ? 0 : Number(headers['content-length'] ?? 0)
    const text = rest.subarray(end + 4, end + 4 + length).toString()
    rest = rest.subarray(end + 4 + length)
    if (status !== 100) responses.push({ status, headers, text, body: parsed(text) })
  }
  return responses
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
