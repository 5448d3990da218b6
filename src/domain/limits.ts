import { groupBy } from './groupBy.ts'
import { daySeconds, minuteSeconds } from './units.ts'

/** The activities with limits (docs/contract.md#limits). Each route belongs to one. */
export type LimitedActivity = 'reads' | 'quotes' | 'sessions' | 'bookings'

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
  /** The backend that counted the request; only the same one can uncount it. */
  readonly countedIn: 'redis' | 'process'
}

export type LimitStatus = Pick<LimitDecision, 'nowSeconds' | 'windows'>

const bookingsDay = 'bookings-day'
const visitorPrefix = 'visitor-'

/** Reports whether a window counts created bookings, not requests. */
export const countsBookings = ({ name }: LimitWindow): boolean => name.includes(bookingsDay)

/** Returns the name of a window without the visitor's id, which is not published. */
export function publicName({ name }: LimitWindow): string {
  if (!name.startsWith(visitorPrefix)) return name
  return name.includes(bookingsDay) ? 'visitor-day' : 'visitor'
}

/** A limit of every API key. A key may have a limit of its own instead of the default. */
interface LimitRule {
  readonly activity: LimitedActivity
  /** The variable that sets the default (docs/configuration.md#limits). */
  readonly variable: string
  readonly byDefault: number
  /** The name of the window. Visitors of websites have windows of their own. */
  readonly window: string
  readonly windowSeconds: number
}

const perMinute = (activity: LimitedActivity, variable: string, byDefault: number): LimitRule => {
  return { activity, variable, byDefault, window: activity, windowSeconds: minuteSeconds }
}

const visitorsPerMinute = (...given: Parameters<typeof perMinute>): LimitRule => {
  return { ...perMinute(...given), window: `${visitorPrefix}${given[0]}` }
}

const bookingsPerDay = (variable: string, byDefault: number, window: string): LimitRule => {
  return { activity: 'bookings', variable, byDefault, window, windowSeconds: daySeconds }
}

/** All limits, by the name that `--limit` has for them. Windows of visitors follow the key's. */
export const limitRules = {
  reads: perMinute('reads', 'LIMIT_READS_PER_MINUTE', 300),
  quotes: perMinute('quotes', 'LIMIT_QUOTES_PER_MINUTE', 60),
  sessions: perMinute('sessions', 'LIMIT_SESSIONS_PER_MINUTE', 30),
  bookings: perMinute('bookings', 'LIMIT_BOOKINGS_PER_MINUTE', 10),
  bookingsPerDay: bookingsPerDay('LIMIT_BOOKINGS_PER_DAY', 200, bookingsDay),
  visitorReads: visitorsPerMinute('reads', 'LIMIT_VISITOR_READS_PER_MINUTE', 100),
  visitorSessions: visitorsPerMinute('sessions', 'LIMIT_VISITOR_SESSIONS_PER_MINUTE', 10),
  visitorQuotes: visitorsPerMinute('quotes', 'LIMIT_VISITOR_QUOTES_PER_MINUTE', 20),
  visitorBookings: visitorsPerMinute('bookings', 'LIMIT_VISITOR_BOOKINGS_PER_MINUTE', 5),
  visitorBookingsPerDay: bookingsPerDay(
    'LIMIT_VISITOR_BOOKINGS_PER_DAY',
    20,
    `${visitorPrefix}${bookingsDay}`,
  ),
} as const satisfies Readonly<Record<string, LimitRule>>

export type LimitName = keyof typeof limitRules
export type Limits = Readonly<Record<LimitName, number>>

export const limitNames = Object.keys(limitRules) as LimitName[]

const limitsOf = groupBy(limitNames, (name) => limitRules[name].activity)

/**
 * Returns the windows that a request counts against. `visitor` returns the visitor's id,
 * or undefined for requests from servers.
 */
export function windowsOf(
  activity: LimitedActivity,
  limits: Limits,
  visitor: () => string | undefined,
): readonly LimitWindow[] {
  const windows: LimitWindow[] = []
  for (const limitName of limitsOf(activity)) {
    const { window: name, windowSeconds } = limitRules[limitName]
    const limit = limits[limitName]
    if (!name.startsWith(visitorPrefix)) windows.push({ name, limit, windowSeconds })
    else {
      const id = visitor()
      if (id !== undefined) windows.push({ name: `${name}-${id}`, limit, windowSeconds })
    }
  }
  return windows
}

/** Returns the window for requests without a valid key, which are counted by client address. */
export const unauthenticatedWindow = (limit: number): LimitWindow => {
  return { name: 'unauthenticated', limit, windowSeconds: minuteSeconds }
}

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
