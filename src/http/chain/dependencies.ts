import type { Logger } from 'pino'
import type { SessionTokens } from '../../auth/sessionTokens.ts'
import type { KeyUses } from '../../cache/keyUses.ts'
import type { CatalogCache, KeyCache } from '../../cache/openCaches.ts'
import type { Config } from '../../config/environment.ts'
import type { Database } from '../../db/connection/database.ts'
import type { StoreQuote } from '../../db/queries/quotes/storeQuote.ts'
import type { Limiter } from '../../limiter/limiter.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { Tracing } from '../../tracing/tracing.ts'

/** The only source of the current time; tests replace it. */
export interface Clock {
  now(): Date
}

/** The example website of a demo, if its port was free, and the key that its guide shows. */
interface DemoAccess {
  readonly siteUrl: string | undefined
  readonly serverKey: string
}

export interface Deps {
  readonly config: Config
  readonly database: Database
  readonly keys: Pick<KeyCache, 'find'>
  readonly keyUses: Pick<KeyUses, 'record'>
  readonly catalogs: Pick<CatalogCache, 'find' | 'reload'>
  readonly storeQuote: StoreQuote
  readonly limiter: Limiter
  readonly sessionTokens: SessionTokens
  /** Identifies a visitor by address; see `visitorIds`. */
  readonly visitorId: (address: string | undefined) => string
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  /** Undefined unless tracing is enabled. */
  readonly tracing: Tracing | undefined
  /** State of the process; shutdown starts by setting `draining`. */
  readonly lifecycle: { draining: boolean; demo?: DemoAccess }
}
