import { RentalApiError } from './errors.ts'
import type { Session } from './types.ts'

/** Runs a call with a session token; makes and renews the session as needed. */
export interface SessionKeeper {
  run<T>(call: (headers: Record<string, string>) => Promise<T>, options?: RunOptions): Promise<T>
}

interface RunOptions {
  /** Start with a session that is no older. */
  readonly ageSecondsMax?: number
}

interface Kept {
  readonly made: Promise<Session>
  readonly atMs: number
}

const sessionCodes: readonly string[] = ['SESSION_REQUIRED', 'SESSION_EXPIRED', 'SESSION_INVALID']

/**
 * Keeps one session for all calls. Its age is what has passed here since it came, never taken from
 * `expiresAt`: visitors' clocks are wrong by hours.
 */
export function keepSession(create: () => Promise<Session>): SessionKeeper {
  let kept: Kept | undefined

  /** Callers at the same time share one session, also while it is being made. */
  function session(replace: (current: Kept) => boolean): Kept {
    if (kept !== undefined && !replace(kept)) return kept
    const fresh = { made: create(), atMs: Date.now() }
    kept = fresh
    fresh.made.catch(() => {
      if (kept === fresh) kept = undefined
    })
    return fresh
  }
  const withToken = async <T>(
    { made }: Kept,
    call: (headers: Record<string, string>) => Promise<T>,
  ) => call({ 'X-Session-Token': (await made).sessionToken })

  return {
    async run(call, { ageSecondsMax = Number.POSITIVE_INFINITY } = {}) {
      const used = session(({ atMs }) => Date.now() - atMs > ageSecondsMax * 1000)
      try {
        return await withToken(used, call)
      } catch (error) {
        if (!(error instanceof RentalApiError && sessionCodes.includes(error.code))) throw error
        return withToken(
          session((current) => current === used),
          call,
        )
      }
    },
  }
}

/** For servers: they need none. */
export const noSession: SessionKeeper = { run: (call) => call({}) }
