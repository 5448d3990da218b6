import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Deps } from '../../deps.ts'
import { ApiError } from '../../domain/errors.ts'
import { consumeAddressWindow } from '../checks/limits.ts'
import { MalformedRequest } from '../checks/soundness.ts'
import { errorAnswer } from './errorAnswer.ts'
import { standardHeaders } from './headers.ts'
import { limitHeaders } from './limitHeaders.ts'

/**
 * Answers what Node's parser refused before there was a request: in the envelope, with the
 * address's window, and closing the connection, since nobody knows where the next request begins.
 */
export async function answerClientError(deps: Deps, error: NodeJS.ErrnoException, socket: Socket) {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const broken = await earlierAnswers(socket)
  await refuse(deps, socket, ofParser(error.code), broken?.headers.origin)
  // The caller may stay silent for ever: free what the request holds.
  if (error.code === timedOut) socket.destroySoon()
}

const timedOut = 'ERR_HTTP_REQUEST_TIMEOUT'

function ofParser(code: string | undefined): ApiError {
  if (code === timedOut) return new MalformedRequest('tooSlow')
  if (code === 'HPE_HEADER_OVERFLOW') return new MalformedRequest('headersTooLarge')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return new ApiError('PAYLOAD_TOO_LARGE')
  return new MalformedRequest('unreadable')
}

const noTunnels = new ApiError('METHOD_NOT_ALLOWED', 'This server opens no tunnels.')

/** Answers what Node would otherwise handle by itself: tunnels and unknown expectations. */
export function answerOutsideRequests(server: Server, deps: Deps): void {
  // An ordinary request from here on: the check of soundness refuses it.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('connect', async (request, socket: Socket) => {
    // Node no longer looks after this socket: errors and timeouts are ours to end it by.
    for (const event of ['error', 'timeout']) socket.on(event, () => socket.destroy())
    await earlierAnswers(socket)
    await refuse(deps, socket, noTunnels, request.headers.origin)
    socket.destroySoon()
  })
}

/**
 * Waits for the answers to the complete requests in front of the broken one: ours would otherwise
 * be taken for one of them. Resolves with the broken one if it is a body that was cut short.
 */
async function earlierAnswers(socket: Socket): Promise<IncomingMessage | undefined> {
  while (!socket.destroyed) {
    const { _httpMessage: response } = socket as { _httpMessage?: ServerResponse | null }
    if (!response?.req.complete || response.writableFinished) return response?.req
    await new Promise<void>((resolve) => {
      response.once('finish', resolve)
      response.once('close', resolve)
    })
  }
  return undefined
}

async function refuse(deps: Deps, socket: Socket, refused: ApiError, origin?: string) {
  const requestId = randomUUID()
  const standing = await consumeAddressWindow(deps, socket.remoteAddress)
  const error = standing.allowed ? refused : new ApiError('RATE_LIMITED')
  const { status, headers, body } = errorAnswer(error, standing)
  const lines = Object.entries({
    date: deps.clock.now().toUTCString(),
    ...standardHeaders(requestId, origin),
    ...(error.code === 'METHOD_NOT_ALLOWED' && { allow: 'GET, HEAD, POST, OPTIONS' }),
    ...headers,
    ...limitHeaders(standing),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  deps.log.info({ reqId: requestId, status, code: error.code }, 'answered')
  const labels = { operation: 'other', status: String(status), code: error.code }
  deps.metrics.requests.of(labels).value += 1
  if (!socket.writable) return
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}
