import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../src/domain/errors.ts'
import type { LimitStatus } from '../../../src/domain/limits.ts'
import { errorResponse } from '../../../src/http/server/errorResponse.ts'
import { limitHeaders } from '../../../src/http/server/limitHeaders.ts'

const minute = {
  name: 'bookings',
  limit: 10,
  windowSeconds: 60,
  remaining: 3,
  resetAtSeconds: 1_060,
}
const day = {
  name: 'bookings-day',
  limit: 200,
  windowSeconds: 86_400,
  remaining: 150,
  resetAtSeconds: 50_000,
}
const visitor = {
  name: 'visitor-bookings-192.0.2.7',
  limit: 5,
  windowSeconds: 60,
  remaining: 4,
  resetAtSeconds: 1_030,
}

const retryAfter = (standing: LimitStatus) =>
  errorResponse(new ApiError('RATE_LIMITED'), standing).headers['retry-after']

describe('limitHeaders', () => {
  it('returns the most restrictive window in X-RateLimit-* and all windows in RateLimit', () => {
    expect(limitHeaders({ nowSeconds: 1_000, windows: [minute, day, visitor] })).toEqual({
      'x-ratelimit-limit': 10,
      'x-ratelimit-remaining': 3,
      'x-ratelimit-reset': 1_060,
      'ratelimit-policy': '"bookings";q=10;w=60, "bookings-day";q=200;w=86400, "visitor";q=5;w=60',
      ratelimit: '"bookings";r=3;t=60, "bookings-day";r=150;t=49000, "visitor";r=4;t=30',
    })
  })

  it('sets Retry-After to the reset of the exhausted window', () => {
    const used = { ...visitor, remaining: 0 }
    expect(retryAfter({ nowSeconds: 1_000, windows: [minute, day, used] })).toBe(30)
  })

  // With 0 a client would retry in a loop for the rest of the last second.
  it.each([1_030, 1_031])('returns at least 1 second when the window has ended: at %i', (now) => {
    const standing = { nowSeconds: now, windows: [{ ...visitor, remaining: 0 }] }
    expect([retryAfter(standing), limitHeaders(standing)['ratelimit']]).toEqual([
      1,
      '"visitor";r=0;t=1',
    ])
  })
})
