import { describe, expect, it } from 'vitest'
import {
  type LimitDecision,
  type LimitedActivity,
  type Limits,
  limitRules,
  mostRestrictiveWindow,
  unauthenticatedWindow,
  type WindowState,
  windowNamed,
  windowState,
  windowsOf,
  withWindow,
} from '../../src/domain/limits.ts'

/** Each limit differs, so that a test detects a mix-up. */
const limits: Limits = {
  reads: 300,
  quotes: 60,
  sessions: 30,
  bookings: 10,
  bookingsPerDay: 200,
  visitorReads: 100,
  visitorSessions: 11,
  visitorQuotes: 20,
  visitorBookings: 5,
  visitorBookingsPerDay: 7,
}
const minute = (name: string, limit: number) => ({ name, limit, windowSeconds: 60 })
const day = { name: 'bookings-day', limit: 200, windowSeconds: 86_400 }

describe('windowsOf', () => {
  it.each<[LimitedActivity, object[], object[]]>([
    ['reads', [minute('reads', 300)], [minute('visitor-reads-192.0.2.7', 100)]],
    ['quotes', [minute('quotes', 60)], [minute('visitor-quotes-192.0.2.7', 20)]],
    ['sessions', [minute('sessions', 30)], [minute('visitor-sessions-192.0.2.7', 11)]],
    [
      'bookings',
      [minute('bookings', 10), day],
      [
        minute('visitor-bookings-192.0.2.7', 5),
        { ...day, name: 'visitor-bookings-day-192.0.2.7', limit: 7 },
      ],
    ],
  ])(
    'returns the key windows of %s, and the visitor windows for a browser',
    (limit, own, visitor) => {
      expect(windowsOf(limit, limits, () => undefined)).toEqual(own)
      expect(windowsOf(limit, limits, () => '192.0.2.7')).toEqual([...own, ...visitor])
    },
  )

  it('has a counter of its own for each limit', () => {
    const names = Object.values(limitRules).map(({ window }) => window)
    expect([...new Set(names)]).toEqual(names)
  })

  it('returns one window of a minute for requests without a valid key', () => {
    expect(unauthenticatedWindow(60)).toEqual(minute('unauthenticated', 60))
  })
})

describe('windowState', () => {
  it.each([
    [0, 3],
    [2, 1],
    [3, 0],
    [4, 0],
  ])('after %i requests with a limit of three, reports %i remaining', (used, remaining) => {
    const state = windowState(minute('reads', 3), used, 1_000)
    expect(state).toEqual({ ...minute('reads', 3), remaining, resetAtSeconds: 1_000 })
  })
})

const state = (name: string, remaining: number, resetAtSeconds: number): WindowState => ({
  ...minute(name, 10),
  remaining,
  resetAtSeconds,
})

describe('mostRestrictiveWindow', () => {
  it.each<[string, WindowState[], string]>([
    ['when it is the only one', [state('a', 5, 100)], 'a'],
    ['with the fewest requests remaining', [state('a', 5, 100), state('b', 4, 50)], 'b'],
    [
      'with the fewest requests remaining when it comes first',
      [state('a', 4, 50), state('b', 5, 100)],
      'a',
    ],
    ['with no requests remaining', [state('a', 3, 900), state('b', 0, 50), state('c', 1, 60)], 'b'],
    // After the shorter window resets, the longer one would still reject.
    [
      'with the later reset when both are exhausted',
      [state('a', 0, 100), state('b', 0, 86_400)],
      'b',
    ],
    [
      'with the later reset when both are exhausted and it comes first',
      [state('a', 0, 86_400), state('b', 0, 100)],
      'a',
    ],
    [
      'of the key when the visitor window is equal',
      [state('a', 0, 100), state('visitor-a', 0, 100)],
      'a',
    ],
  ])('returns the window %s', (_, windows, name) => {
    expect(mostRestrictiveWindow(windows).name).toBe(name)
  })
})

describe('a limit decision', () => {
  const decision: LimitDecision = {
    allowed: true,
    nowSeconds: 40,
    windows: [state('a', 5, 100), state('b', 4, 50)],
    countedIn: 'redis',
  }

  it('returns a window by name and throws for an unknown name', () => {
    expect(windowNamed(decision, 'b')).toEqual(state('b', 4, 50))
    expect(() => windowNamed(decision, 'c')).toThrow('no state for the window c')
  })

  it('replaces one window and keeps the order of the others', () => {
    expect(withWindow(decision, state('b', 5, 50))).toEqual({
      ...decision,
      windows: [state('a', 5, 100), state('b', 5, 50)],
    })
  })
})
