import type { KeyRecord } from '../db/keys.ts'

export interface Caller extends KeyRecord {
  /** Null on the server channel. */
  readonly sessionId: string | null
}
