import { daySeconds, minuteSeconds } from './units.ts'

/** The activities with limits (docs/contract.md#limits). Each route belongs to one. */
export type LimitedActivity = 'reads' | 'quotes' | 'sessions' | 'bookings'

/** The limits that can be configured, for all keys or for one. */
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

/** A fixed window of at most `limit` requests in `windowSeconds`. */
export interface LimitWindow {
  /** Names the counter within its subject, and the policy in the `RateLimit` headers. */
  readonly name: string
  readonly limit: number
  readonly windowSeconds: number
}

/** The state of a window after a request was counted. `resetAtSeconds` is Unix time. */
export interface WindowState extends LimitWindow {
  readonly remaining: number
  readonly resetAtSeconds: number
}

/** A limiter's decision on one request. `nowSeconds` is Unix time on the limiter's clock. */
export interface LimitDecision {
  readonly allowed: boolean
  readonly nowSeconds: number
  readonly windows: readonly WindowState[]
  /** The backend that counted the request; a slot must be released on the same one. */
  readonly countedIn: 'redis' | 'process'
}

export type LimitStatus = Pick<LimitDecision, 'nowSeconds' | 'windows'>

/** The window that counts created bookings, not requests. */
export const bookingsDay = 'bookings-day'
/** The prefix of per-visitor window names. */
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
 * Returns the windows that a request counts against. `visitor` returns the visitor's id,
 * or undefined for requests from servers.
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
  const id = visitor()
  if (id !== undefined) {
    windows.push(perMinute(`${visitorPrefix}${activity}-${id}`, limits[visitorLimits[activity]]))
  }
  return windows
}

/** Returns the window for requests without a valid key, which are counted by client address. */
export const unauthenticatedWindow = (limit: number) => perMinute('unauthenticated', limit)

export function windowState(window: LimitWindow, used: number, resetAtSeconds: number) {
  const { name, limit, windowSeconds } = window
  return { name, limit, windowSeconds, remaining: Math.max(0, limit - used), resetAtSeconds }
}

/**
 * Returns the window of a decision with this name.
 * @throws Error if the decision has no such window
 */
export function windowNamed({ windows }: LimitDecision, name: string): WindowState {
  const found = windows.find((window) => window.name === name)
  if (found === undefined) throw new Error(`Bug: no state for the window ${name}`)
  return found
}

export function withWindow(decision: LimitDecision, state: WindowState): LimitDecision {
  const windows = decision.windows.map((known) => (known.name === state.name ? state : known))
  return { ...decision, windows }
}

/**
 * Returns the window with the fewest remaining requests, for the single-valued headers. If two have
 * the same number, the later reset wins.
 */
export function mostRestrictiveWindow(windows: readonly WindowState[]): WindowState {
  return windows.reduce((chosen, window) =>
    window.remaining < chosen.remaining ||
    (window.remaining === chosen.remaining && window.resetAtSeconds > chosen.resetAtSeconds)
      ? window
      : chosen,
  )
}
