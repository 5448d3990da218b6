import { hashApiKey } from '../auth/apiKeys.ts'
import type { Database } from '../db/client.ts'
import { type KeyRecord, noteKeyUses } from '../db/keys.ts'

const everyMs = 30_000

export type KeyUses = ReturnType<typeof rememberKeyUses>

/** Collects which secrets were let in, and tells the database now and then (decision 400). */
export function rememberKeyUses(database: Database, onFailure: (error: unknown) => void) {
  let uses = new Map<string, { readonly record: KeyRecord; readonly usedAt: Date }>()
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
    /** A secret was let in. Costs an entry in memory, until the next time it is told. */
    note(apiKey: string, record: KeyRecord, usedAt: Date): void {
      uses.set(apiKey, { record, usedAt })
    },
    /** Tells the database of the last uses; never fails. */
    close() {
      clearInterval(timer)
      return tell()
    },
  }
}
