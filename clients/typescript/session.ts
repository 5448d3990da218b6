import { RentalApiError } from './errors.ts'
import type { Session } from './types.ts'

/** What a call needs to know of the session it runs in. */
export interface CallSession {
  readonly headers: Readonly<Record<string, string>>
  readonly lifeSeconds: number
  leftSeconds(): number
}

/** Makes sessions and renews them as needed. */
export interface SessionKeeper {
  /** Runs a call in a session that is young enough for a quote; in a new one if it is refused. */
  run<T>(call: (session: CallSession) => Promise<T>): Promise<T>
  /** The session there is, or a first one. */
  current(): Promise<CallSession>
}

const sessionCodes: readonly string[] = ['SESSION_REQUIRED', 'SESSION_EXPIRED', 'SESSION_INVALID']

function isSessionRefused(error: unknown): boolean {
  return error instanceof RentalApiError && sessionCodes.includes(error.code)
}

/** Of an hour 35 minutes: the half hour that a quote is good for, and five to book it. */
const quoteShare = 35 / 60

/** Keeps one session for all calls. */
export function keepSession(create: () => Promise<Session>, nowMs: () => number): SessionKeeper {
  let kept: Promise<CallSession> | undefined

  /** Callers at the same time share one session, also while it is being made. */
  async function session(isUnfit: (current: CallSession) => boolean): Promise<CallSession> {
    const current = kept
    if (current !== undefined && !isUnfit(await current)) return current
    // Meanwhile another caller may have replaced it already.
    if (kept === current || kept === undefined) kept = begin()
    return kept
  }
  function begin(): Promise<CallSession> {
    const atMs = nowMs()
    const begun = create().then((made) => callSession(made, () => (nowMs() - atMs) / 1000))
    begun.catch(() => {
      if (kept === begun) kept = undefined
    })
    return begun
  }

  return {
    async run(call) {
      const used = await session((it) => it.leftSeconds() < it.lifeSeconds * quoteShare)
      try {
        return await call(used)
      } catch (error) {
        if (!isSessionRefused(error)) throw error
        return call(await session((it) => it === used))
      }
    },
    current: () => session(() => false),
  }
}

function callSession({ sessionToken }: Session, ageSeconds: () => number): CallSession {
  const lifeSeconds = lifeSecondsOf(sessionToken)
  return {
    headers: { 'X-Session-Token': sessionToken },
    lifeSeconds,
    leftSeconds: () => lifeSeconds - ageSeconds(),
  }
}

const usualLifeSeconds = 3600

/** From the token's own claims, never from `expiresAt`: visitors' clocks are wrong by hours. */
function lifeSecondsOf(sessionToken: string): number {
  try {
    const [, claims = ''] = sessionToken.split('.')
    const { iat, exp } = JSON.parse(atob(claims.replace(/-/g, '+').replace(/_/g, '/')))
    return exp > iat ? exp - iat : usualLifeSeconds
  } catch {
    return usualLifeSeconds
  }
}

/** For servers, who need none. */
const serverSession: CallSession = {
  headers: {},
  lifeSeconds: Infinity,
  leftSeconds: () => Infinity,
}

export const noSession: SessionKeeper = {
  run: (call) => call(serverSession),
  current: async () => serverSession,
}
