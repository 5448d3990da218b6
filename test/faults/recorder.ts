import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { customer } from '../helpers/actors.ts'
import { checkHistory, isUnsettled, type Operation, type Violation } from './history.ts'

export interface Booker {
  readonly keyId: string
  readonly key: string
  /** The session and headers of a browser. Default: a server's request without a session. */
  readonly session?: { readonly id: string; readonly headers: Readonly<Record<string, string>> }
}

interface BookingCall {
  readonly quoteId: string
  readonly idempotencyKey?: string
  readonly booker?: Booker
  readonly notes?: string
}

/** An HTTP client that records its requests and responses. */
export interface Recorder {
  readonly history: readonly Operation[]
  /** Sends one booking request to a replica. Never rejects; a lost response is also recorded. */
  book(replica: number, call: BookingCall): Promise<Operation>
  /** Records a request that another client sends and whose response is lost. */
  recordLost(replica: number, call: BookingCall & { readonly idempotencyKey: string }): void
  /** Retries a booking request on all replicas in turn until its outcome is known. */
  settle(call: BookingCall, firstReplica?: number): Promise<Operation>
  /** Settles all requests, reads every booking, and returns the violations in the history. */
  finish(): Promise<Violation[]>
  /** Returns the number of unknown outcomes, and the longest time until a key's final response. */
  figures(): { unknown: number; longestMs: number }
}

const responseTimeoutMs = 20_000
const repeatAfterMs = 100
const readsAtOnce = 20

export function recorder(
  urls: () => readonly string[],
  self: Booker,
  settleTimeoutMs = 40_000,
): Recorder {
  const history: Operation[] = []
  const calls = new Map<string, BookingCall>()
  const urlOf = (replica: number) => urls()[replica % urls().length] ?? ''
  const scopeOf = ({ keyId, session }: Booker) => `${keyId}/${session?.id ?? 'server'}`

  const send = async (
    request: Pick<Operation, 'op' | 'replica' | 'scope' | 'idem' | 'quoteId'>,
    path: string,
    init: RequestInit,
  ): Promise<Operation> => {
    const invokedMs = performance.now()
    const response = await exchange(urlOf(request.replica) + path, init)
    const operation = { ...request, invokedMs, completedMs: performance.now(), ...response }
    history.push(operation)
    return operation
  }

  const book: Recorder['book'] = (replica, call) => {
    const { quoteId, idempotencyKey = randomUUID(), booker = self, notes } = call
    const scope = scopeOf(booker)
    calls.set(`${scope}/${idempotencyKey}`, { ...call, idempotencyKey })
    return send({ op: 'book', replica, scope, idem: idempotencyKey, quoteId }, '/bookings', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${booker.key}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
        ...booker.session?.headers,
      },
      body: JSON.stringify({ quoteId, customer, notes }),
    })
  }

  const recordLost: Recorder['recordLost'] = (
    replica,
    { quoteId, idempotencyKey, booker = self },
  ) => {
    const request = { op: 'book', replica, scope: scopeOf(booker), quoteId } as const
    const nowMs = performance.now()
    history.push({
      ...request,
      idem: idempotencyKey,
      invokedMs: nowMs,
      completedMs: nowMs,
      ...noResponse,
    })
  }

  const settle: Recorder['settle'] = async (call, firstReplica = 0) => {
    const fixed = { idempotencyKey: randomUUID(), ...call }
    const deadlineMs = performance.now() + settleTimeoutMs
    for (let attempt = firstReplica; ; attempt++) {
      const operation = await book(attempt, fixed)
      if (!isUnsettled(operation) || performance.now() > deadlineMs) return operation
      await delay(repeatAfterMs)
    }
  }

  return {
    history,
    book,
    recordLost,
    settle,
    async finish() {
      for (const [key, call] of calls) {
        const settled = history.some(
          (op) => `${op.scope}/${op.idem}` === key && op.op === 'book' && !isUnsettled(op),
        )
        if (!settled) await settle(call)
      }
      const accepted = new Map(
        history.filter(({ type }) => type === 'ok').map((op) => [op.bookingId, op]),
      )
      const readBack = async ([bookingId, operation]: [string | undefined, Operation]) => {
        const { quoteId, scope, idem, replica } = operation
        const request = { op: 'read', replica: replica + 1, scope, idem, quoteId } as const
        const { key } = calls.get(`${scope}/${idem}`)?.booker ?? self
        const init = { headers: { authorization: `Bearer ${key}` } }
        const deadlineMs = performance.now() + settleTimeoutMs
        while ((await send(request, `/bookings/${bookingId}`, init)).type === 'info') {
          if (performance.now() > deadlineMs) return
          await delay(repeatAfterMs)
        }
      }
      const left = [...accepted]
      while (left.length > 0) await Promise.all(left.splice(0, readsAtOnce).map(readBack))
      return checkHistory(history)
    },
    figures() {
      const books = history.filter(({ op }) => op === 'book')
      const unknown = books.filter(({ type }) => type === 'info').length
      const firstMs = new Map<string, number>()
      let longestMs = 0
      for (const op of books) {
        const key = `${op.scope}/${op.idem}`
        const begunMs = firstMs.get(key) ?? op.invokedMs
        firstMs.set(key, Math.min(begunMs, op.invokedMs))
      }
      const known = new Set<string>()
      for (const op of books.toSorted((a, b) => a.completedMs - b.completedMs)) {
        const key = `${op.scope}/${op.idem}`
        if (isUnsettled(op) || known.has(key)) continue
        known.add(key)
        longestMs = Math.max(longestMs, op.completedMs - (firstMs.get(key) ?? 0))
      }
      return { unknown, longestMs }
    },
  }
}

type RecordedResponse = Pick<
  Operation,
  'type' | 'status' | 'code' | 'bookingId' | 'body' | 'window'
>

/** The outcome of a request whose response was lost. */
const noResponse = {
  type: 'info',
  status: 0,
  code: undefined,
  bookingId: undefined,
  body: '',
} as const

async function exchange(url: string, init: RequestInit): Promise<RecordedResponse> {
  try {
    const response = await fetch(url.replace(/(:\d+)\//, '$1/api/v1/'), {
      ...init,
      signal: AbortSignal.timeout(responseTimeoutMs),
    })
    const body = await response.text()
    const { data, error } = JSON.parse(body)
    const { status, headers } = response
    const [resetAtSeconds, limit] = ['reset', 'limit'].map((name) =>
      Number(headers.get(`x-ratelimit-${name}`)),
    )
    return {
      type: status < 300 ? 'ok' : status < 500 ? 'fail' : 'info',
      status,
      code: error?.code,
      bookingId: data?.bookingId,
      body,
      window: { resetAtSeconds: resetAtSeconds ?? 0, limit: limit ?? 0 },
    }
  } catch {
    return noResponse
  }
}
