/** What one request did, as its client saw it. */
export interface Operation {
  readonly op: 'book' | 'read'
  readonly replica: number
  /** Whose key and session it was; with `idem` the scope of a recorded answer (decision 31). */
  readonly scope: string
  readonly idem: string
  readonly quoteId: string
  readonly invokedMs: number
  readonly completedMs: number
  /** `ok`: 2xx. `fail`: a definite refusal. `info`: a timeout, a reset or 5xx, so nobody knows. */
  readonly type: 'ok' | 'fail' | 'info'
  readonly status: number
  readonly code: string | undefined
  readonly bookingId: string | undefined
  readonly body: string
  /** The window the answer counted in, and its limit. */
  readonly window?: { readonly resetAtSeconds: number; readonly limit: number } | undefined
}

export interface Violation {
  readonly check: string
  readonly about: string
}

/** How honest REQUEST_IN_PROGRESS must be after its owner vanished (decision 35). */
const inProgressMaxMs = 25_000
const resolvedMaxMs = 150_000
const unrecorded = new Set([
  'REQUEST_IN_PROGRESS',
  'RATE_LIMITED',
  'IDEMPOTENCY_KEY_REUSED',
  'VALIDATION_ERROR',
])

/** Whether an answer settles its idempotency key for good (decision 33). */
function isRecorded({ op, type, code }: Operation): boolean {
  return op === 'book' && type !== 'info' && !unrecorded.has(code ?? '')
}

/** Whether the client has to ask again with the same key to know what became of its booking. */
export function isUnsettled(operation: Operation): boolean {
  const { type, code } = operation
  return type === 'info' || code === 'REQUEST_IN_PROGRESS' || code === 'RATE_LIMITED'
}

/**
 * Checks a complete history, final reads included, against what the API promises; a history without
 * violations gives none. The checks are independent, so that a bug may show in several.
 */
export function checkHistory(history: readonly Operation[]): Violation[] {
  const books = history.filter(({ op }) => op === 'book')
  const byQuote = groupBy(books, ({ quoteId }) => quoteId)
  const byKey = groupBy(books, ({ scope, idem }) => `${scope}/${idem}`)
  return [
    ...each('single winner', byQuote, singleWinner),
    ...each(
      'one quote a booking',
      groupBy(winners(books), ({ bookingId }) => bookingId ?? ''),
      (ops) => distinct(ops, ({ quoteId }) => quoteId) === 1,
    ),
    ...durability(history),
    ...each('no refusal before a winner', byQuote, refusalHasWinner),
    ...each('real-time order', byQuote, realTimeOrder),
    ...each('replay identity', byKey, replayIdentity),
    ...each('honest in-progress', byKey, honestInProgress),
    ...each('unknown outcomes resolve', byKey, unknownResolves),
    ...each('expiry is final', byQuote, expiryIsFinal),
    ...each('limit', groupBy(books, windowOf), withinLimit),
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

const winners = (ops: Operations) => ops.filter(({ type }) => type === 'ok')
const distinct = (ops: Operations, of: (op: Operation) => string | undefined) =>
  new Set(ops.map(of)).size

/** 1: all accepted bookings of a quote are one. */
function singleWinner(ops: Operations): boolean {
  return distinct(winners(ops), ({ bookingId }) => bookingId) <= 1
}

/** 2: what was accepted can be read at the end, as it was told. */
function durability(history: Operations): Violation[] {
  const reads = history.filter(({ op }) => op === 'read')
  const told = new Map(
    winners(history.filter(({ op }) => op === 'book')).map((op) => [op.bookingId, op]),
  )
  return [...told].flatMap(([bookingId, { body }]) => {
    const kept = reads.some((read) => read.bookingId === bookingId && read.body === body)
    return kept ? [] : [{ check: 'durability', about: bookingId ?? '' }]
  })
}

/** 3: QUOTE_ALREADY_USED needs a winner that had begun before, and a booking in the end. */
function refusalHasWinner(ops: Operations): boolean {
  const used = ops.filter(({ code }) => code === 'QUOTE_ALREADY_USED')
  if (used.length === 0) return true
  return (
    winners(ops).length > 0 &&
    used.every((refusal) =>
      ops.some((op) => op.type !== 'fail' && op.invokedMs < refusal.completedMs),
    )
  )
}

/** 4: once a booking was told, no other key of anybody's is accepted for the quote. */
function realTimeOrder(ops: Operations): boolean {
  return winners(ops).every((first) =>
    winners(ops).every(
      (later) =>
        later.invokedMs <= first.completedMs ||
        (later.scope === first.scope && later.idem === first.idem),
    ),
  )
}

/** 5: all recorded answers to one key are the same to the byte. */
function replayIdentity(ops: Operations): boolean {
  return distinct(ops.filter(isRecorded), ({ status, body }) => `${status} ${body}`) <= 1
}

/** 6: REQUEST_IN_PROGRESS needs a request of the same key that ran then, or vanished lately. */
function honestInProgress(ops: Operations): boolean {
  return ops
    .filter(({ code }) => code === 'REQUEST_IN_PROGRESS')
    .every((told) =>
      ops.some(
        (other) =>
          other !== told &&
          other.code !== 'REQUEST_IN_PROGRESS' &&
          other.invokedMs <= told.completedMs &&
          (other.completedMs >= told.invokedMs ||
            (other.type === 'info' && told.invokedMs - other.completedMs <= inProgressMaxMs)),
      ),
    )
}

/** 7: whoever repeats a request of unknown outcome gets to know it. */
function unknownResolves(ops: Operations): boolean {
  return ops
    .filter(({ type }) => type === 'info')
    .every((unknown) =>
      ops.some((op) => isRecorded(op) && op.completedMs - unknown.invokedMs <= resolvedMaxMs),
    )
}

/** 8: a quote that was told to be expired is never booked afterwards. */
function expiryIsFinal(ops: Operations): boolean {
  return ops
    .filter(({ code }) => code === 'QUOTE_EXPIRED')
    .every((expired) => winners(ops).every((op) => op.invokedMs <= expired.completedMs))
}

/** Without a database the window may be that of the address, and end at the same second as the key's. */
const windowOf = ({ scope, window }: Operation) =>
  `${scope.split('/')[0]}@${window?.resetAtSeconds ?? 'none'}, ${window?.limit}`

/** 9: no window lets more through than its limit. Who gets 503 may have been counted nowhere (decision 39). */
function withinLimit(ops: Operations): boolean {
  const limit = ops.find(({ window }) => window !== undefined)?.window?.limit ?? Infinity
  const answered = ops.filter(({ type, window }) => window && type !== 'info')
  return answered.filter(({ code }) => code !== 'RATE_LIMITED').length <= limit
}
