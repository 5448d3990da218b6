import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Deps } from '../deps.ts'
import type { ErrorCode } from '../domain/errors.ts'
import { unauthenticatedWindow } from '../domain/limits.ts'
import { addressBlock } from './addressBlock.ts'
import { errorEnvelope } from './errors.ts'
import { limitHeaders } from './limitHeaders.ts'

const refusals: Readonly<Record<string, readonly [number, ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'VALIDATION_ERROR', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'VALIDATION_ERROR', 'The request took too long to arrive.'],
}
const unreadable = [400, 'VALIDATION_ERROR', 'The request is not valid HTTP.'] as const

/**
 * Answers what Node's parser refused before there was a request: in the envelope, with the
 * address's window, and closing the connection, since nobody knows where the next request begins.
 */
export async function answerClientError(
  { limiter, config }: Pick<Deps, 'limiter' | 'config'>,
  error: Error & { code?: string },
  socket: Socket,
): Promise<void> {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, code, message] = refusals[error.code ?? ''] ?? unreadable
  const window = unauthenticatedWindow(config.unauthenticatedPerMinute)
  const decision = await limiter.consume(addressBlock(socket.remoteAddress ?? ''), [window])
  const body = JSON.stringify(errorEnvelope(code, message))
  const headers = {
    ...limitHeaders(decision),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}
