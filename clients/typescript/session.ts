import { RentalApiError } from './errors.ts'
import type { Session } from './types.ts'

export interface CallSession {
  readonly headers: Readonly<Record<string, string>>
  readonly lifeSeconds: number
  leftSeconds(): number
}

/** Creates sessions and renews them when needed. */
export interface SessionManager {
  /**
   * Runs a call in a session that remains valid longer than a quote. If the API rejects the
   * session, repeats the call once in a new session.
   */
  run<T>(call: (session: CallSession) => Promise<T>): Promise<T>
  /** Returns the current session, or creates the first. */
  current(): Promise<CallSession>
}

const sessionCodes: readonly string[] = ['SESSION_REQUIRED', 'SESSION_EXPIRED', 'SESSION_INVALID']

function isSessionRejected(error: unknown): boolean {
  return error instanceof RentalApiError && sessionCodes.includes(error.code)
}

/**
 * The minimum remaining share of a session for a new quote: of an hour, 30 minutes for the quote
 * and 5 minutes to book it.
 */
const quoteShare = 35 / 60

/** Returns a session manager that shares one session between all calls. */
export function createSessionManager(
  create: () => Promise<Session>,
  nowMs: () => number,
): SessionManager {
  let shared: Promise<CallSession> | undefined

  /** Concurrent callers share one session, even while it is being created. */
  async function session(isUnfit: (current: CallSession) => boolean): Promise<CallSession> {
    const current = shared
    if (current !== undefined && !isUnfit(await current)) return current
    // Another caller may already have replaced the session during the await.
    if (shared === current || shared === undefined) shared = begin()
    return shared
  }
  function begin(): Promise<CallSession> {
    const atMs = nowMs()
    const created = create().then((session) => callSession(session, () => (nowMs() - atMs) / 1000))
    created.catch(() => {
      if (shared === created) shared = undefined
    })
    return created
  }

  return {
    async run(call) {
      const used = await session((it) => it.leftSeconds() < it.lifeSeconds * quoteShare)
      try {
        return await call(used)
      } catch (error) {
        if (!isSessionRejected(error)) throw error
        return call(await session((it) => it === used))
      }
    },
    current: () => session(() => false),
  }
}

export const sessionHeader = 'X-Session-Token'

function callSession({ sessionToken }: Session, ageSeconds: () => number): CallSession {
  const lifeSeconds = lifeSecondsOf(sessionToken)
  return {
    headers: { [sessionHeader]: sessionToken },
    lifeSeconds,
    leftSeconds: () => lifeSeconds - ageSeconds(),
  }
}

const usualLifeSeconds = 3600

/** Reads the token's claims. `expiresAt` is not usable: visitors' clocks are wrong by hours. */
function lifeSecondsOf(sessionToken: string): number {
  try {
    const [, claims = ''] = sessionToken.split('.')
    const { iat, exp } = JSON.parse(atob(claims.replace(/-/g, '+').replace(/_/g, '/')))
    return exp > iat ? exp - iat : usualLifeSeconds
  } catch {
    return usualLifeSeconds
  }
}

const serverSession: CallSession = {
  headers: {},
  lifeSeconds: Infinity,
  leftSeconds: () => Infinity,
}

/** Returns a session of an earlier client. The API decides whether it is still valid. */
export const storedSession = (sessionToken: string): CallSession => ({
  ...serverSession,
  headers: { [sessionHeader]: sessionToken },
})

export const noSession: SessionManager = {
  run: (call) => call(serverSession),
  current: async () => serverSession,
}
