import { hashApiKey } from '../auth/apiKeys.ts'
import type { Database } from '../db/client.ts'
import { type KeyRecord, noteKeyUses } from '../db/keys.ts'

const everyMs = 30_000

/** Which secrets were let in lately; told to the database all together (decision 400). */
export interface KeyUses {
  /** A secret was let in. Costs an entry in memory, until the next time it is told. */
  note(apiKey: string, record: KeyRecord, usedAt: Date): void
  /** Tells the database now; what could not be told is kept for the next time. */
  tell(): Promise<void>
  /** Tells for the last time. */
  close(): Promise<void>
}

interface Use {
  readonly record: KeyRecord
  readonly usedAt: Date
}

/** `onFailure` hears why the database was not told. */
export function rememberKeyUses(database: Database, onFailure: (error: unknown) => void): KeyUses {
  let uses = new Map<string, Use>()
  const tell = async () => {
    const told = uses
    if (told.size === 0) return
    uses = new Map()
    try {
      await noteKeyUses(
        database,
        [...told].map(([apiKey, { record, usedAt }]) => ({
          tenantId: record.tenant.id,
          apiKeyId: record.key.id,
          keyHash: hashApiKey(apiKey),
          usedAt,
        })),
      )
    } catch (error) {
      onFailure(error)
      uses = new Map([...told, ...uses])
    }
  }
  const timer = setInterval(tell, everyMs)
  timer.unref()
  return {
    note(apiKey, record, usedAt) {
      uses.set(apiKey, { record, usedAt })
    },
    tell,
    close() {
      clearInterval(timer)
      return tell()
    },
  }
}
