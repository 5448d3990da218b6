import type { Logger } from 'pino'
import type { SessionTokens } from './auth/sessionTokens.ts'
import type { Config } from './config.ts'
import type { Database } from './db/client.ts'
import type { Limiter } from './redis/limiter.ts'

/** The only source of the present: tests advance theirs. */
export interface Clock {
  now(): Date
}

/** Everything the application needs from outside, passed in as one plain object. */
export interface Deps {
  readonly config: Config
  readonly database: Database
  readonly limiter: Limiter
  readonly sessionTokens: SessionTokens
  readonly clock: Clock
  readonly log: Logger
}
