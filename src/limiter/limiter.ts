import type { LimitDecision, LimitWindow } from '../domain/limits.ts'

/** Counts requests in fixed windows. */
export interface Limiter {
  /**
   * Judges one request of `subject` by all `windows` at once and counts it in all of them, or in
   * none when one is used up (decision 37). With `count: false` it only tells how they stand.
   */
  consume(
    subject: string,
    windows: readonly LimitWindow[],
    options?: { readonly count?: boolean },
  ): Promise<LimitDecision>
  /** Takes back what `decision` counted in the window `name`, unless it is over; how all stand. */
  release(subject: string, decision: LimitDecision, name: string): Promise<LimitDecision>
  /** True while a shared limiter is meant to count but the process does. */
  degraded(): boolean
}

/** Told of every decision that counted; `limit` names the first window, such as `quotes`. */
export type OnDecision = (
  limit: string,
  allowed: boolean,
  countedIn: LimitDecision['countedIn'],
) => void
