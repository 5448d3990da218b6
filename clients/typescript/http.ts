import { type ErrorFacts, RentalApiError } from './errors.ts'
import type { ErrorCode, ErrorDetails } from './types.ts'

/** The part of `fetch` that the client needs. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

/** A success, its JSON read; 304 has no data. */
interface HttpAnswer {
  readonly status: number
  readonly etag: string | null
  readonly data: unknown
}

export type Send = (request: HttpRequest) => Promise<HttpAnswer>

interface Envelope {
  readonly data?: unknown
  readonly error?: { code: ErrorCode; message: string; details?: ErrorDetails }
}

export interface HttpOptions {
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch: Fetch
  readonly timeoutSeconds: number
}

/**
 * Sends one request, once. Throws RentalApiError, or the reason of the caller's signal.
 * @throws TypeError for an address that can't be one
 */
export function createSend({ baseUrl, apiKey, fetch, timeoutSeconds }: HttpOptions): Send {
  // Sent to all the same, it would look like a network that is down, and be tried again.
  const address = String(baseUrl).trim()
  if (!/^(https?:\/\/[^/]|\/|$)/i.test(address)) {
    throw new TypeError(`baseUrl must begin with https:// or http://, not "${baseUrl}"`)
  }
  const api = `${address.replace(/(\/api\/v1)?\/*$/, '')}/api/v1`
  // Headers refuse most letters: of a mangled key, or none, the API says that it is none.
  const key = String(apiKey)
    .trim()
    .replace(/[^!-~]/g, '?')
  return async ({ method, path, headers = {}, body, signal }) => {
    const timeout = AbortSignal.timeout(timeoutSeconds * 1000)
    const init: RequestInit = {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      body: JSON.stringify(body),
    }
    const { answer, text } = await exchange(() => fetch(api + path, init), signal)
    const envelope = parseEnvelope(text)
    if (answer.ok || answer.status === 304) {
      if (answer.ok && envelope?.data === undefined) throw unexpected(answer)
      return { status: answer.status, etag: answer.headers.get('ETag'), data: envelope?.data }
    }
    // Gateways on the way may have an `error` of their own.
    const isOurs = typeof envelope?.error?.code === 'string'
    throw isOurs ? refusal(answer, envelope.error) : unexpected(answer)
  }
}

/** The answer is only there when its last byte is: a connection may break half-way. */
async function exchange(send: () => Promise<Response>, signal: AbortSignal | undefined) {
  try {
    const answer = await send()
    return { answer, text: await answer.text() }
  } catch (cause) {
    signal?.throwIfAborted()
    const message = 'The booking service could not be reached.'
    throw new RentalApiError({ status: 0, code: 'NETWORK_ERROR', message, cause })
  }
}

function parseEnvelope(text: string): Envelope | undefined {
  try {
    return JSON.parse(text) as Envelope
  } catch {
    return undefined
  }
}

function refusal(answer: Response, error: NonNullable<Envelope['error']>): RentalApiError {
  return new RentalApiError({ ...factsOf(answer), ...error })
}

function unexpected(answer: Response): RentalApiError {
  const message = `The answer (${answer.status}) is not one of the booking service.`
  return new RentalApiError({ ...factsOf(answer), code: 'UNEXPECTED_ANSWER', message })
}

function factsOf({ status, headers }: Response): Pick<ErrorFacts, 'status'> & Partial<ErrorFacts> {
  const retryAfter = headers.get('Retry-After')
  return {
    status,
    retryAfterSeconds: retryAfter !== null && /^\d+$/.test(retryAfter) ? +retryAfter : undefined,
    requestId: headers.get('X-Request-Id') ?? undefined,
  }
}
