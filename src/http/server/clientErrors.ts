import { randomUUID } from 'node:crypto'
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { ApiError } from '../../domain/errors.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { MalformedRequest } from '../chain/malformedRequest.ts'
import { errorResponse } from './errorResponse.ts'
import { standardHeaders } from './responseHeaders.ts'

/**
 * Sends an error response for a request that the parser of Node rejected, and closes the
 * connection. There is no request object, so the response has no limit headers.
 */
export function sendClientError(
  { log, metrics }: { readonly log: Logger; readonly metrics: Metrics },
  { code }: NodeJS.ErrnoException,
  socket: Socket & { readonly _httpMessage?: ServerResponse | null },
): void {
  // As in Node's default handler: do not write into a response that has started.
  if (!socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy()
    return
  }
  const error = errorOfParser(code)
  const requestId = randomUUID()
  const { status, headers, body } = errorResponse(error)
  const lines = Object.entries({
    date: new Date().toUTCString(),
    ...standardHeaders(requestId, undefined),
    ...headers,
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  log.info({ reqId: requestId, status, code: error.code }, 'request completed')
  metrics.requests.inc({ operation: 'other', status: String(status), code: error.code })
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  // Unlike `end`, this also closes when the client keeps its side open.
  socket.destroySoon()
}

function errorOfParser(code: string | undefined): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new MalformedRequest('tooSlow')
  if (code === 'HPE_HEADER_OVERFLOW') return new MalformedRequest('headersTooLarge')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return new ApiError('PAYLOAD_TOO_LARGE')
  return new MalformedRequest('unreadable')
}
