import { type ErrorFacts, RentalApiError } from './errors.ts'
import { toJson } from './json.ts'
import type { ErrorCode, ErrorDetails } from './types.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

/** A successful response with parsed JSON; `data` is undefined for a 304. */
interface HttpResponse {
  readonly status: number
  readonly etag: string | null
  /** The language of the texts, if the rental company has translations. */
  readonly language: string | null
  readonly data: unknown
}

export type Send = (request: HttpRequest) => Promise<HttpResponse>

interface Envelope {
  readonly data?: unknown
  readonly error?: { code: ErrorCode; message: string; details?: ErrorDetails }
}

export interface HttpOptions {
  readonly baseUrl: string
  readonly apiKey: string
  readonly language?: string | undefined
  readonly fetch: Fetch
  readonly timeoutSeconds: number
}

/**
 * Returns a function that sends one request, without retries. The function throws RentalApiError,
 * or the reason of the caller's signal.
 * @throws TypeError for an invalid `baseUrl`
 */
export function createSend(options: HttpOptions): Send {
  const { baseUrl, apiKey, language, fetch, timeoutSeconds } = options
  // With an invalid address, fetch fails as without a network, and the request would be retried.
  const address = String(baseUrl).trim()
  if (!/^(https?:\/\/[^/]|\/|$)/i.test(address)) {
    throw new TypeError(`baseUrl must begin with https:// or http://, not "${baseUrl}"`)
  }
  const api = `${address.replace(/(\/api\/v1)?\/*$/, '')}/api/v1`
  // fetch throws on header values with non-ASCII or control characters. They are replaced by `?`,
  // so that the API returns API_KEY_INVALID.
  const key = String(apiKey)
    .trim()
    .replace(/[^!-~]/g, '?')
  return async ({ method, path, headers = {}, body, signal }) => {
    const timeout = AbortSignal.timeout(timeoutSeconds * 1000)
    const init: RequestInit = {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(language && { 'Accept-Language': language }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      body: toJson(body),
    }
    const { response, text } = await exchange(() => fetch(api + path, init), signal)
    const envelope = parseEnvelope(text)
    if (response.ok || response.status === 304) {
      if (response.ok && envelope?.data === undefined) throw unexpected(response)
      return {
        status: response.status,
        etag: response.headers.get('ETag'),
        language: response.headers.get('Content-Language'),
        data: envelope?.data,
      }
    }
    // The response may come from a gateway with an `error` of another form.
    const isFromApi = typeof envelope?.error?.code === 'string'
    throw isFromApi ? apiError(response, envelope.error) : unexpected(response)
  }
}

/** Sends the request and reads the whole body. A connection that breaks in the body is an error. */
async function exchange(send: () => Promise<Response>, signal: AbortSignal | undefined) {
  try {
    const response = await send()
    return { response, text: await response.text() }
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

function apiError(response: Response, error: NonNullable<Envelope['error']>): RentalApiError {
  return new RentalApiError({ ...factsOf(response), ...error })
}

function unexpected(response: Response): RentalApiError {
  const message = `The response (${response.status}) did not come from the booking service.`
  return new RentalApiError({ ...factsOf(response), code: 'UNEXPECTED_ANSWER', message })
}

function factsOf({ status, headers }: Response): Pick<ErrorFacts, 'status'> & Partial<ErrorFacts> {
  const retryAfter = headers.get('Retry-After')
  return {
    status,
    retryAfterSeconds: retryAfter !== null && /^\d+$/.test(retryAfter) ? +retryAfter : undefined,
    limitWindowSeconds: status === 429 ? exhaustedWindowSeconds(headers) : undefined,
    requestId: headers.get('X-Request-Id') ?? undefined,
  }
}

/** Returns the length of the longest window without remaining requests; undefined without headers. */
function exhaustedWindowSeconds(headers: Headers): number | undefined {
  const windows = (name: string) => headers.get(name)?.split(',') ?? []
  const exhausted = windows('RateLimit')
    .filter((window) => /;r=0(;|$)/.test(window))
    .map((window) => window.split(';')[0]?.trim())
  const lengths = windows('RateLimit-Policy')
    .filter((policy) => exhausted.includes(policy.split(';')[0]?.trim()))
    .map((policy) => Number(/;w=(\d+)/.exec(policy)?.[1] ?? 0))
  return lengths.length === 0 ? undefined : Math.max(...lengths)
}
