import type { LimitDecision, LimitWindow } from '../domain/limits.ts'

export interface Limiter {
  /**
   * Checks a request of `subject` against all windows. Counts it in all windows, or in none if one
   * is full; with `count: false` it only returns their state.
   */
  consume(
    subject: string,
    windows: readonly LimitWindow[],
    options?: { readonly count?: boolean },
  ): Promise<LimitDecision>
  /**
   * Undoes the count of `decision` in the window `name`, if that window has not ended. Returns the
   * new state.
   */
  release(subject: string, decision: LimitDecision, name: string): Promise<LimitDecision>
  /** Reports whether requests are counted in the process although Redis is configured. */
  degraded(): boolean
}
