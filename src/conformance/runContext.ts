import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

/** Holds an observation to the contract. Throws what was seen instead, in words. */
export function assert(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise)
}

/** Says why no booking can be made, so that every later rule would be called broken by that. */
export class NothingToBook extends Error {}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

interface Call {
  readonly method?: 'GET' | 'POST' | 'DELETE' | 'OPTIONS'
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON, or as it is when it is text. */
  readonly body?: unknown
  /** Whether the key goes with it; true unless said otherwise. */
  readonly withKey?: boolean
}

/** Told how many seconds a limit makes it wait. */
export type OnWait = (seconds: number) => void

const limitWaitMaxSeconds = 61
const timeoutMs = 15_000

/** Calls the deployment under test; every answer is held to what the contract says of all. */
export function apiAt(baseUrl: string, apiKey: string, onWait: OnWait = () => {}) {
  const root = `${baseUrl.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/api/v1`

  async function ask(path: string, { method = 'GET', headers, body, withKey = true }: Call = {}) {
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
    /** The same as `call`, whatever the answer is. */
    ask,
    async call(path: string, call?: Call): Promise<Answer> {
      const answer = await ask(path, call)
      const waitSeconds = Number(answer.headers.get('retry-after') ?? 0)
      if (answer.status !== 429 || waitSeconds > limitWaitMaxSeconds) return checked(answer)
      // The kit shares the key's limits with whoever else uses it.
      onWait(waitSeconds)
      await delay(waitSeconds * 1000)
      return checked(await ask(path, call))
    },
  }
}

const limitHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']

function checked(answer: Answer): Answer {
  for (const name of limitHeaders) {
    const value = answer.headers.get(name)
    assert(value !== null, `${answer.status} has no header ${name}`)
    assert(/^\d+$/.test(value), `${answer.status}: ${name} is not a whole number: ${value}`)
  }
  assert(answer.status < 500, `${answer.status}: ${answer.text.slice(0, 200)}`)
  return answer
}

/** What one check finds out for those after it. `origin` is on the key's allow list. */
export const beginRun = (api: ReturnType<typeof apiAt>, origin: string | undefined) => ({
  api,
  origin,
  /** The idempotency key of the booking that is repeated. */
  attempt: randomUUID(),
  /** A group that can be quoted. */
  groupId: '',
  quoteId: '',
  /** Every booking that was made: nothing but staff ends it. */
  booked: new Set<string>(),
  /** The accepted booking: its id and the bytes of the answer. */
  bookingId: '',
  bookingText: '',
})

export type RunContext = ReturnType<typeof beginRun>

/** Rules of the contract. A check throws when its rule does not hold. */
export type Checks = Readonly<Record<string, (walk: RunContext) => Promise<void>>>

/** Ten in the morning, UTC, so many days from today. */
export function inDays(days: number): string {
  return `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T10:00:00Z`
}

export function rental(assetGroupId: string) {
  return { assetGroupId, pickupDatetime: inDays(30), dropoffDatetime: inDays(33) }
}

export const customer = {
  firstName: 'Conformance',
  lastName: 'Kit',
  email: 'conformance@example.com',
}
