import { daySeconds, minuteSeconds } from './units.ts'

/** The activities with limits (docs/contract.md "Limits"); a route names the one it counts as. */
export type LimitedActivity = 'reads' | 'quotes' | 'sessions' | 'bookings'

/** Every figure that can be configured, and be different for one key. */
export const limitNames = [
  'reads',
  'quotes',
  'sessions',
  'bookings',
  'bookingsPerDay',
  'visitorSessions',
  'visitorQuotes',
  'visitorBookings',
] as const

export type LimitName = (typeof limitNames)[number]
export type Limits = Readonly<Record<LimitName, number>>

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
  /** Where it was counted: nowhere else can anything be given back. */
  readonly countedIn: 'redis' | 'process'
}

export type LimitStatus = Pick<LimitDecision, 'nowSeconds' | 'windows'>

/** The window that counts bookings made, not requests (decision 39). */
export const bookingsDay = 'bookings-day'
/** How names of visitors' windows begin; what follows names the visitor. */
export const visitorPrefix = 'visitor-'

const visitorLimits = {
  sessions: 'visitorSessions',
  quotes: 'visitorQuotes',
  bookings: 'visitorBookings',
} as const satisfies Partial<Record<LimitedActivity, LimitName>>

const perMinute = (name: string, limit: number): LimitWindow => {
  return { name, limit, windowSeconds: minuteSeconds }
}

/**
 * The windows one request of a key counts against (decisions 37, 38 and 41).
 * `visitor` gives the caller's address block; undefined on the server channel.
 */
export function windowsOf(
  activity: LimitedActivity,
  limits: Limits,
  visitor: () => string | undefined,
): readonly LimitWindow[] {
  const windows: LimitWindow[] = [perMinute(activity, limits[activity])]
  if (activity === 'reads') return windows
  if (activity === 'bookings') {
    windows.push({ name: bookingsDay, limit: limits.bookingsPerDay, windowSeconds: daySeconds })
  }
  const block = visitor()
  if (block !== undefined) {
    windows.push(perMinute(`${visitorPrefix}${activity}-${block}`, limits[visitorLimits[activity]]))
  }
  return windows
}

/** The window of requests without a good key, counted by address (decision 40). */
export const unauthenticatedWindow = (limit: number) => perMinute('unauthenticated', limit)

export function windowState(window: LimitWindow, used: number, resetAtSeconds: number) {
  const { name, limit, windowSeconds } = window
  return { name, limit, windowSeconds, remaining: Math.max(0, limit - used), resetAtSeconds }
}

export function windowNamed({ windows }: LimitDecision, name: string): WindowState {
  const found = windows.find((window) => window.name === name)
  if (found === undefined) throw new Error(`Bug: a request was not judged by the window ${name}`)
  return found
}

export function withWindow(decision: LimitDecision, state: WindowState): LimitDecision {
  const windows = decision.windows.map((known) => (known.name === state.name ? state : known))
  return { ...decision, windows }
}

/**
 * The window the single-valued headers speak of: the one that refused, or that would refuse first;
 * of two alike the one that lasts longer (decision 38).
 */
export function mostRestrictiveWindow(windows: readonly WindowState[]): WindowState {
  return windows.reduce((chosen, window) =>
    window.remaining < chosen.remaining ||
    (window.remaining === chosen.remaining && window.resetAtSeconds > chosen.resetAtSeconds)
      ? window
      : chosen,
  )
}
