import {
  type LimitStatus,
  mostRestrictiveWindow,
  visitorPrefix,
  type WindowState,
} from '../../domain/limits.ts'

/** Three for the window that matters most, the standard's two for all (decisions 38, 44). */
export function limitHeaders({
  nowSeconds,
  windows,
}: LimitStatus): Record<string, string | number> {
  const headline = mostRestrictiveWindow(windows)
  const secondsLeft = (window: WindowState) => secondsUntilReset(nowSeconds, window)
  return {
    'x-ratelimit-limit': headline.limit,
    'x-ratelimit-remaining': headline.remaining,
    'x-ratelimit-reset': headline.resetAtSeconds,
    'ratelimit-policy': list(windows, (window) => `q=${window.limit};w=${window.windowSeconds}`),
    ratelimit: list(windows, (window) => `r=${window.remaining};t=${secondsLeft(window)}`),
  }
}

export function retryAfterSeconds({ nowSeconds, windows }: LimitStatus): number {
  return secondsUntilReset(nowSeconds, mostRestrictiveWindow(windows))
}

function secondsUntilReset(nowSeconds: number, { resetAtSeconds }: WindowState): number {
  return Math.max(1, resetAtSeconds - nowSeconds)
}

function list(windows: readonly WindowState[], parameters: (window: WindowState) => string) {
  // A visitor's window is named by an address, which is nobody else's business.
  const publicName = ({ name }: WindowState) => (name.startsWith(visitorPrefix) ? 'visitor' : name)
  return windows.map((window) => `"${publicName(window)}";${parameters(window)}`).join(', ')
}
