import type { KeyRecord } from '../db/keys.ts'

/** Whom a service acts for. */
export interface Caller extends KeyRecord {
  /** Null on the server channel. */
  readonly sessionId: string | null
}
