import type { KeyRecord } from '../db/queries/keys/keyLookup.ts'

export interface Caller extends KeyRecord {
  /** Null on the server channel. */
  readonly sessionId: string | null
}
