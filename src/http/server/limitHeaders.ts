import {
  type LimitStatus,
  mostRestrictiveWindow,
  publicName,
  type WindowState,
} from '../../domain/limits.ts'

/** Returns the headers `X-RateLimit-*` (most restrictive window) and `RateLimit*` (all windows). */
export function limitHeaders({
  nowSeconds,
  windows,
}: LimitStatus): Record<string, string | number> {
  const tightest = mostRestrictiveWindow(windows)
  const secondsLeft = (window: WindowState) => secondsUntilReset(nowSeconds, window)
  return {
    'x-ratelimit-limit': tightest.limit,
    'x-ratelimit-remaining': tightest.remaining,
    'x-ratelimit-reset': tightest.resetAtSeconds,
    'ratelimit-policy': list(windows, (window) => `q=${window.limit};w=${window.windowSeconds}`),
    ratelimit: list(windows, (window) => `r=${window.remaining};t=${secondsLeft(window)}`),
  }
}

/** Returns the seconds until the most restrictive window resets, at least 1. */
export function retryAfterSeconds({ nowSeconds, windows }: LimitStatus): number {
  return secondsUntilReset(nowSeconds, mostRestrictiveWindow(windows))
}

function secondsUntilReset(nowSeconds: number, { resetAtSeconds }: WindowState): number {
  return Math.max(1, resetAtSeconds - nowSeconds)
}

function list(windows: readonly WindowState[], parameters: (window: WindowState) => string) {
  return windows.map((window) => `"${publicName(window)}";${parameters(window)}`).join(', ')
}
