export interface Operation {
  readonly op: 'book' | 'read'
  readonly replica: number
  /** The key and session; with `idem`, the scope of a recorded response. */
  readonly scope: string
  readonly idem: string
  readonly quoteId: string
  readonly invokedMs: number
  readonly completedMs: number
  /** `ok`: 2xx. `fail`: a definite error. `info`: unknown, after a timeout, a reset or 5xx. */
  readonly type: 'ok' | 'fail' | 'info'
  readonly status: number
  readonly code: string | undefined
  readonly bookingId: string | undefined
  readonly body: string
  readonly window?: { readonly resetAtSeconds: number; readonly limit: number } | undefined
}

export interface Violation {
  readonly check: string
  readonly about: string
}

/** The longest time for which REQUEST_IN_PROGRESS is allowed after the running request was lost. */
const inProgressMaxMs = 25_000
const resolvedMaxMs = 150_000
const unrecorded = new Set([
  'REQUEST_IN_PROGRESS',
  'RATE_LIMITED',
  'IDEMPOTENCY_KEY_REUSED',
  'VALIDATION_ERROR',
])

/** Reports whether the response is recorded for its idempotency key. */
function isRecorded({ op, type, code }: Operation): boolean {
  return op === 'book' && type !== 'info' && !unrecorded.has(code ?? '')
}

/** Reports whether the client must retry with the same key to learn the outcome. */
export function isUnsettled(operation: Operation): boolean {
  const { type, code } = operation
  return type === 'info' || code === 'REQUEST_IN_PROGRESS' || code === 'RATE_LIMITED'
}

/**
 * Checks a complete history, including the final reads, against the API's guarantees and returns the
 * violations. The checks are independent, so one bug may appear in several.
 */
export function checkHistory(history: readonly Operation[]): Violation[] {
  const books = history.filter(({ op }) => op === 'book')
  const byQuote = groupBy(books, ({ quoteId }) => quoteId)
  const byKey = groupBy(books, ({ scope, idem }) => `${scope}/${idem}`)
  return [
    ...each('one booking per quote', byQuote, hasOneBooking),
    ...each(
      'one quote per booking',
      groupBy(accepted(books), ({ bookingId }) => bookingId ?? ''),
      (ops) => distinct(ops, ({ quoteId }) => quoteId) === 1,
    ),
    ...durability(history),
    ...each('no QUOTE_ALREADY_USED without a booking', byQuote, usedQuoteHasBooking),
    ...each('real-time order', byQuote, realTimeOrder),
    ...each('identical replays', byKey, replayIdentity),
    ...each('no REQUEST_IN_PROGRESS without a running request', byKey, inProgressHasRequest),
    ...each('a retry resolves an unknown outcome', byKey, retriesResolve),
    ...each('no booking after QUOTE_EXPIRED', byQuote, noBookingAfterExpiry),
    ...each('no window exceeds its limit', groupBy(books, windowOf), withinLimit),
  ]
}

type Operations = readonly Operation[]

function groupBy(ops: Operations, keyOf: (op: Operation) => string): Map<string, Operation[]> {
  const groups = new Map<string, Operation[]>()
  for (const op of ops) {
    const key = keyOf(op)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [op])
    else group.push(op)
  }
  return groups
}

function each(
  check: string,
  groups: Map<string, Operation[]>,
  holds: (ops: Operations) => boolean,
): Violation[] {
  return [...groups].flatMap(([about, ops]) => (holds(ops) ? [] : [{ check, about }]))
}

const accepted = (ops: Operations) => ops.filter(({ type }) => type === 'ok')
const distinct = (ops: Operations, of: (op: Operation) => string | undefined) =>
  new Set(ops.map(of)).size

/** Check 1: all accepted requests for a quote return the same booking. */
function hasOneBooking(ops: Operations): boolean {
  return distinct(accepted(ops), ({ bookingId }) => bookingId) <= 1
}

/** Check 2: every accepted booking can be read at the end, unchanged. */
function durability(history: Operations): Violation[] {
  const reads = history.filter(({ op }) => op === 'read')
  const acknowledged = new Map(
    accepted(history.filter(({ op }) => op === 'book')).map((op) => [op.bookingId, op]),
  )
  return [...acknowledged].flatMap(([bookingId, { body }]) => {
    const isReadable = reads.some((read) => read.bookingId === bookingId && read.body === body)
    return isReadable
      ? []
      : [{ check: 'every accepted booking is readable', about: bookingId ?? '' }]
  })
}

/** Check 3: QUOTE_ALREADY_USED requires an accepted request that began before, and its booking. */
function usedQuoteHasBooking(ops: Operations): boolean {
  const used = ops.filter(({ code }) => code === 'QUOTE_ALREADY_USED')
  if (used.length === 0) return true
  return (
    accepted(ops).length > 0 &&
    used.every((rejection) =>
      ops.some((op) => op.type !== 'fail' && op.invokedMs < rejection.completedMs),
    )
  )
}

/** Check 4: after an accepted response, no other idempotency key is accepted for the quote. */
function realTimeOrder(ops: Operations): boolean {
  return accepted(ops).every((first) =>
    accepted(ops).every(
      (later) =>
        later.invokedMs <= first.completedMs ||
        (later.scope === first.scope && later.idem === first.idem),
    ),
  )
}

/** Check 5: all recorded responses for one key have identical bytes. */
function replayIdentity(ops: Operations): boolean {
  return distinct(ops.filter(isRecorded), ({ status, body }) => `${status} ${body}`) <= 1
}

/** Check 6: REQUEST_IN_PROGRESS requires a request of the same key that ran or was just lost. */
function inProgressHasRequest(ops: Operations): boolean {
  return ops
    .filter(({ code }) => code === 'REQUEST_IN_PROGRESS')
    .every((response) =>
      ops.some(
        (other) =>
          other !== response &&
          other.code !== 'REQUEST_IN_PROGRESS' &&
          other.invokedMs <= response.completedMs &&
          (other.completedMs >= response.invokedMs ||
            (other.type === 'info' && response.invokedMs - other.completedMs <= inProgressMaxMs)),
      ),
    )
}

/** Check 7: a retry of a request with unknown outcome returns the outcome. */
function retriesResolve(ops: Operations): boolean {
  return ops
    .filter(({ type }) => type === 'info')
    .every((unknown) =>
      ops.some((op) => isRecorded(op) && op.completedMs - unknown.invokedMs <= resolvedMaxMs),
    )
}

/** Check 8: after QUOTE_EXPIRED, the quote is never booked. */
function noBookingAfterExpiry(ops: Operations): boolean {
  return ops
    .filter(({ code }) => code === 'QUOTE_EXPIRED')
    .every((expired) => accepted(ops).every((op) => op.invokedMs <= expired.completedMs))
}

/** Identifies a window. The limit distinguishes windows of an address and a key with the same end. */
const windowOf = ({ scope, window }: Operation) =>
  `${scope.split('/')[0]}@${window?.resetAtSeconds ?? 'none'}, ${window?.limit}`

/** Check 9: no window admits more requests than its limit. Requests with 503 may not be counted. */
function withinLimit(ops: Operations): boolean {
  const limit = ops.find(({ window }) => window !== undefined)?.window?.limit ?? Infinity
  const counted = ops.filter(({ type, window }) => window && type !== 'info')
  return counted.filter(({ code }) => code !== 'RATE_LIMITED').length <= limit
}
