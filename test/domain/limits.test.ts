import { describe, expect, it } from 'vitest'
import {
  type LimitDecision,
  type LimitedActivity,
  type Limits,
  mostRestrictiveWindow,
  unauthenticatedWindow,
  type WindowState,
  windowNamed,
  windowState,
  windowsOf,
  withWindow,
} from '../../src/domain/limits.ts'

/** A figure of its own for each, so that none can be taken for another. */
const limits: Limits = {
  reads: 300,
  quotes: 60,
  sessions: 30,
  bookings: 10,
  bookingsPerDay: 200,
  visitorSessions: 11,
  visitorQuotes: 20,
  visitorBookings: 5,
}
const minute = (name: string, limit: number) => ({ name, limit, windowSeconds: 60 })
const day = { name: 'bookings-day', limit: 200, windowSeconds: 86_400 }

describe('the windows of a request', () => {
  it.each<[LimitedActivity, object[], object[]]>([
    ['reads', [minute('reads', 300)], []],
    ['quotes', [minute('quotes', 60)], [minute('visitor-quotes-192.0.2.7', 20)]],
    ['sessions', [minute('sessions', 30)], [minute('visitor-sessions-192.0.2.7', 11)]],
    ['bookings', [minute('bookings', 10), day], [minute('visitor-bookings-192.0.2.7', 5)]],
  ])('of %s: those of its key, and for a browser its visitor’s (37, 41)', (limit, own, visitor) => {
    expect(windowsOf(limit, limits, () => undefined)).toEqual(own)
    expect(windowsOf(limit, limits, () => '192.0.2.7')).toEqual([...own, ...visitor])
  })

  it('without a good key are one a minute (40)', () => {
    expect(unauthenticatedWindow(60)).toEqual(minute('unauthenticated', 60))
  })
})

describe('a window', () => {
  it.each([
    [0, 3],
    [2, 1],
    [3, 0],
    [4, 0],
  ])('of three, after %i requests, has %i left, never fewer than none', (used, remaining) => {
    const state = windowState(minute('reads', 3), used, 1_000)
    expect(state).toEqual({ ...minute('reads', 3), remaining, resetAtSeconds: 1_000 })
  })
})

const state = (name: string, remaining: number, resetAtSeconds: number): WindowState => ({
  ...minute(name, 10),
  remaining,
  resetAtSeconds,
})

describe('the headers speak of the window', () => {
  it.each<[string, WindowState[], string]>([
    ['that is the only one', [state('a', 5, 100)], 'a'],
    ['that would refuse first', [state('a', 5, 100), state('b', 4, 50)], 'b'],
    ['that would refuse first, wherever it stands', [state('a', 4, 50), state('b', 5, 100)], 'a'],
    ['that has refused', [state('a', 3, 900), state('b', 0, 50), state('c', 1, 60)], 'b'],
    // Whoever waited for the shorter one would be refused again by the other.
    ['that lasts longer, of two alike', [state('a', 0, 100), state('b', 0, 86_400)], 'b'],
    ['that lasts longer, in any order', [state('a', 0, 86_400), state('b', 0, 100)], 'a'],
    ['of the key, of two the same', [state('a', 0, 100), state('visitor-a', 0, 100)], 'a'],
  ])('%s (38)', (_, windows, name) => {
    expect(mostRestrictiveWindow(windows).name).toBe(name)
  })
})

describe('a decision', () => {
  const decision: LimitDecision = {
    allowed: true,
    nowSeconds: 40,
    windows: [state('a', 5, 100), state('b', 4, 50)],
    countedIn: 'redis',
  }

  it('tells of each of its windows, and of no other', () => {
    expect(windowNamed(decision, 'b')).toEqual(state('b', 4, 50))
    expect(() => windowNamed(decision, 'c')).toThrow('not judged by the window c')
  })

  it('with another state of one window keeps the rest, in its order', () => {
    expect(withWindow(decision, state('b', 5, 50))).toEqual({
      ...decision,
      windows: [state('a', 5, 100), state('b', 5, 50)],
    })
  })
})
