import { headlineWindow, type LimitDecision, type WindowState } from '../domain/limits.ts'

type Standing = Pick<LimitDecision, 'nowSeconds' | 'windows'>

/**
 * The rate-limit headers of an answer: the spec's three for the window that matters most, and the
 * standard's two for all of them (decisions 38 and 44).
 */
export function limitHeaders(standing: Standing): Record<string, string | number> {
  const { windows } = standing
  const headline = headlineWindow(windows)
  return {
    'x-ratelimit-limit': headline.limit,
    'x-ratelimit-remaining': headline.remaining,
    'x-ratelimit-reset': headline.resetAtSeconds,
    'ratelimit-policy': list(windows, (w) => `q=${w.limit};w=${w.windowSeconds}`),
    ratelimit: list(windows, (w) => `r=${w.remaining};t=${waitSeconds(standing, w)}`),
  }
}

/** The headers of a refusal by a limit: they also say when to come back. */
export function refusalHeaders(standing: Standing): Record<string, string | number> {
  const headline = headlineWindow(standing.windows)
  return { ...limitHeaders(standing), 'retry-after': waitSeconds(standing, headline) }
}

function waitSeconds({ nowSeconds }: Standing, { resetAtSeconds }: WindowState): number {
  return Math.max(1, resetAtSeconds - nowSeconds)
}

function list(windows: readonly WindowState[], parameters: (window: WindowState) => string) {
  return windows.map((window) => `"${publicName(window)}";${parameters(window)}`).join(', ')
}

/** A visitor's window is counted under the visitor's address, which is nobody else's business. */
function publicName({ name }: WindowState): string {
  return name.startsWith('visitor-') ? 'visitor' : name
}
