import { randomUUID } from 'node:crypto'
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Deps } from '../deps.ts'
import type { ErrorCode } from '../domain/errors.ts'
import { unauthenticatedWindow } from '../domain/limits.ts'
import { addressBlock } from './addressBlock.ts'
import { errorEnvelope } from './errors.ts'
import { readableBy } from './hooks/cors.ts'
import { standardHeaders } from './hooks/standardHeaders.ts'
import { limitHeaders, refusalHeaders } from './limitHeaders.ts'

type SocketDeps = Pick<Deps, 'limiter' | 'config' | 'log' | 'metrics'>
type Refusal = readonly [status: number, code: ErrorCode, message: string]

const timedOut = 'ERR_HTTP_REQUEST_TIMEOUT'
const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: [431, 'VALIDATION_ERROR', 'The headers are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'PAYLOAD_TOO_LARGE', 'The body is too large.'],
  [timedOut]: [408, 'VALIDATION_ERROR', 'The request took too long to arrive.'],
}
const unreadable: Refusal = [400, 'VALIDATION_ERROR', 'The request is not valid HTTP.']
const noTunnel: Refusal = [405, 'METHOD_NOT_ALLOWED', 'This server opens no tunnels.']
const usedUp: Refusal = [429, 'RATE_LIMITED', 'Too many requests. Wait for Retry-After seconds.']

/**
 * Answers what Node's parser refused before there was a request: in the envelope, with the
 * address's window, and closing the connection, since nobody knows where the next request begins.
 */
export async function answerClientError(
  deps: SocketDeps,
  error: Error & { code?: string },
  socket: Socket,
): Promise<void> {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  await earlierAnswer(socket)
  await refuse(deps, socket, refusals[error.code ?? ''] ?? unreadable)
  // Whoever was silent for so long may stay so: what the request holds is needed.
  if (error.code === timedOut) socket.destroySoon()
}

/** Answers what Node would otherwise handle by itself: tunnels and unknown expectations. */
export function answerOutsideRequests(server: Server, deps: SocketDeps): void {
  // An ordinary request from here on: the hook `soundness` refuses it.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy())
    void refuse(deps, socket, noTunnel)
  })
}

/**
 * Waits for the answer to the complete request in front of the broken one: ours would otherwise be
 * taken for it. A request that is itself cut short has none to wait for.
 */
async function earlierAnswer(socket: Socket): Promise<void> {
  const { _httpMessage: response } = socket as { _httpMessage?: ServerResponse | null }
  if (!response?.req.complete || response.writableFinished) return
  await new Promise<void>((resolve) => {
    response.once('finish', resolve)
    response.once('close', resolve)
  })
}

async function refuse(
  { limiter, config, log, metrics }: SocketDeps,
  socket: Duplex & { readonly remoteAddress?: string | undefined },
  refusal: Refusal,
): Promise<void> {
  const requestId = randomUUID()
  const window = unauthenticatedWindow(config.unauthenticatedPerMinute)
  const decision = await limiter.consume(addressBlock(socket.remoteAddress ?? ''), [window])
  const [status, code, message] = decision.allowed ? refusal : usedUp
  const body = JSON.stringify(errorEnvelope(code, message))
  const headers = {
    ...standardHeaders(requestId),
    ...readableBy(undefined),
    ...(decision.allowed ? limitHeaders : refusalHeaders)(decision),
    ...(code === 'METHOD_NOT_ALLOWED' && { allow: 'GET, HEAD, POST, OPTIONS' }),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  log.info({ reqId: requestId, status, code }, 'answered')
  metrics.requests.of({ operation: 'other', status: String(status), code }).value += 1
  if (!socket.writable) return
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}
