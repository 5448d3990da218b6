import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * Asserts a rule of the contract.
 * @throws Error with `otherwise`, which describes what was observed
 */
export function assert(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise)
}

/** Thrown when no booking can be made. It ends the run, because every later check would fail. */
export class NothingToBook extends Error {}

export interface ApiResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

interface Call {
  readonly method?: 'GET' | 'POST' | 'DELETE' | 'OPTIONS'
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; strings are sent unchanged. */
  readonly body?: unknown
  /** Whether to send the API key. Default true. */
  readonly withKey?: boolean
}

/** A callback that receives the seconds until a limited request is retried. */
export type OnWait = (seconds: number) => void

const limitWaitMaxSeconds = 61
const timeoutMs = 15_000

/** Returns functions that call the deployment under test. */
export function apiAt(baseUrl: string, apiKey: string, onWait: OnWait = () => {}) {
  const root = `${baseUrl.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/api/v1`

  async function send(path: string, { method = 'GET', headers, body, withKey = true }: Call = {}) {
    const response = await fetch(root + path, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        ...(withKey && { authorization: `Bearer ${apiKey}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  return {
    /** Sends one request, without a retry and without checking the response. */
    send,
    /** Sends a request, retries it once after a 429, and checks the headers of every response. */
    async call(path: string, call?: Call): Promise<ApiResponse> {
      const response = await send(path, call)
      const waitSeconds = Number(response.headers.get('retry-after') ?? 0)
      if (response.status !== 429 || waitSeconds > limitWaitMaxSeconds) return checked(response)
      // Other clients use the same key and its limits, so a 429 is not a failure.
      onWait(waitSeconds)
      await delay(waitSeconds * 1000)
      return checked(await send(path, call))
    },
  }
}

const limitHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']

function checked(response: ApiResponse): ApiResponse {
  for (const name of limitHeaders) {
    const value = response.headers.get(name)
    assert(value !== null, `${response.status} has no header ${name}`)
    assert(/^\d+$/.test(value), `${response.status}: ${name} is not a whole number: ${value}`)
  }
  assert(response.status < 500, `${response.status}: ${response.text.slice(0, 200)}`)
  return response
}

/** Returns the state that checks share. `origin` is on the key's allow list. */
export const beginRun = (api: ReturnType<typeof apiAt>, origin: string | undefined) => ({
  api,
  origin,
  /** The idempotency key of the booking that is retried. */
  attempt: randomUUID(),
  /** A group that can be quoted. */
  groupId: '',
  quoteId: '',
  /** The ids of all created bookings, which only staff can cancel. */
  booked: new Set<string>(),
  /** The accepted booking: its id and the body of the response. */
  bookingId: '',
  bookingText: '',
})

export type RunContext = ReturnType<typeof beginRun>

/** Checks by the rule that they test. A check throws if its rule does not hold. */
export type Checks = Readonly<Record<string, (context: RunContext) => Promise<void>>>

/** Returns 10:00 UTC, `days` days from today. */
export function inDays(days: number): string {
  return `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T10:00:00Z`
}

/** Returns the body of a quote request for three days, a month from today. */
export function rental(assetGroupId: string) {
  return { assetGroupId, pickupDatetime: inDays(30), dropoffDatetime: inDays(33) }
}

export const customer = {
  firstName: 'Conformance',
  lastName: 'Kit',
  email: 'conformance@example.com',
}
