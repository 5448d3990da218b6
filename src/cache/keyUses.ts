import { hashApiKey } from '../auth/apiKeys.ts'
import type { Database } from '../db/connection/database.ts'
import { type KeyRecord, type KeyUse, noteKeyUses } from '../db/queries/keyLookup.ts'

const everyMs = 30_000

export type KeyUses = ReturnType<typeof recordKeyUses>

/** Collects which secrets were let in, and tells the database now and then (decision 400). */
export function recordKeyUses(database: Database, onFailure: (error: unknown) => void) {
  let uses = new Map<string, Omit<KeyUse, 'keyHash'>>()
  const tell = async () => {
    const told = uses
    if (told.size === 0) return
    uses = new Map()
    try {
      const all = [...told].map(([secret, use]) => ({ ...use, keyHash: hashApiKey(secret) }))
      await noteKeyUses(database, all)
    } catch (error) {
      onFailure(error)
      uses = new Map([...told, ...uses])
    }
  }
  const timer = setInterval(tell, everyMs)
  timer.unref()
  return {
    /** A secret was let in. Costs an entry in memory, until the next time it is told. */
    note(secret: string, { tenant, key }: KeyRecord, usedAt: Date): void {
      const usedAtMs = usedAt.getTime()
      const known = uses.get(secret)
      // In place: a new entry for each request would outlive it, and be collected at a price.
      if (known !== undefined) known.usedAtMs = usedAtMs
      else uses.set(secret, { tenantId: tenant.id, apiKeyId: key.id, usedAtMs })
    },
    /** Tells the database of the last uses; never fails. */
    close() {
      clearInterval(timer)
      return tell()
    },
  }
}
