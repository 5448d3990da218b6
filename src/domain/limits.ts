/** The limited activities of spec.md "Limits"; a route names the one it counts against. */
export type Limit = 'reads' | 'quotes' | 'sessions' | 'bookings'

/** Every figure that can be configured, and be different for one key. */
export const limitNames = [
  'reads',
  'quotes',
  'sessions',
  'bookings',
  'bookingsPerDay',
  'visitorSessions',
] as const

export type LimitName = (typeof limitNames)[number]
export type Limits = Readonly<Record<LimitName, number>>

const minuteSeconds = 60
const daySeconds = 86_400

/** A fixed window: at most `limit` requests in `windowSeconds` (decision 37). */
export interface LimitWindow {
  /** Names the counter within its subject, and the policy in the `RateLimit` headers. */
  readonly name: string
  readonly limit: number
  readonly windowSeconds: number
}

/** A window after a request was judged. `resetAtSeconds` is Unix time. */
export interface WindowState extends LimitWindow {
  readonly remaining: number
  readonly resetAtSeconds: number
}

/** What a limiter says of one request; `nowSeconds` is Unix time on the limiter's own clock. */
export interface LimitDecision {
  readonly allowed: boolean
  readonly nowSeconds: number
  readonly windows: readonly WindowState[]
}

/**
 * The windows one request of a key counts against (decisions 37, 38 and 41).
 * `visitor` gives the caller's address block, and is asked for `sessions` only.
 */
export function windowsOf(
  limit: Limit,
  limits: Limits,
  visitor: () => string,
): readonly LimitWindow[] {
  const perMinute = { name: limit, limit: limits[limit], windowSeconds: minuteSeconds }
  if (limit === 'bookings') {
    return [
      perMinute,
      { name: 'bookings-day', limit: limits.bookingsPerDay, windowSeconds: daySeconds },
    ]
  }
  if (limit === 'sessions') {
    return [
      perMinute,
      { name: `visitor-${visitor()}`, limit: limits.visitorSessions, windowSeconds: minuteSeconds },
    ]
  }
  return [perMinute]
}

/** The window of requests without a good key, counted by address (decision 40). */
export function unauthenticatedWindow(limit: number): LimitWindow {
  return { name: 'unauthenticated', limit, windowSeconds: minuteSeconds }
}

/**
 * The window the single-valued headers speak of: the one that refused, or that would refuse first;
 * of two alike the one that lasts longer (decision 38).
 */
export function headlineWindow(windows: readonly WindowState[]): WindowState {
  const [first, ...others] = windows
  if (first === undefined) throw new Error('Bug: a request was limited by no window')
  return others.reduce(
    (chosen, window) =>
      window.remaining < chosen.remaining ||
      (window.remaining === chosen.remaining && window.resetAtSeconds > chosen.resetAtSeconds)
        ? window
        : chosen,
    first,
  )
}
