import { headlineWindow, type LimitDecision, type WindowState } from '../domain/limits.ts'

/**
 * The rate-limit headers of an answer: the spec's three for the window that matters most, and the
 * standard's two for all of them (decisions 38 and 44). A refusal also says when to come back.
 */
export function limitHeaders(decision: LimitDecision): Record<string, string | number> {
  const headline = headlineWindow(decision.windows)
  const waitSeconds = (window: WindowState) =>
    Math.max(1, window.resetAtSeconds - decision.nowSeconds)
  const headers = {
    'x-ratelimit-limit': headline.limit,
    'x-ratelimit-remaining': headline.remaining,
    'x-ratelimit-reset': headline.resetAtSeconds,
    'ratelimit-policy': list(decision.windows, (w) => `q=${w.limit};w=${w.windowSeconds}`),
    ratelimit: list(decision.windows, (w) => `r=${w.remaining};t=${waitSeconds(w)}`),
  }
  return decision.allowed ? headers : { ...headers, 'retry-after': waitSeconds(headline) }
}

function list(windows: readonly WindowState[], parameters: (window: WindowState) => string) {
  return windows.map((window) => `"${publicName(window)}";${parameters(window)}`).join(', ')
}

/** A visitor's window is counted under the visitor's address, which is nobody else's business. */
function publicName({ name }: WindowState): string {
  return name.startsWith('visitor-') ? 'visitor' : name
}
