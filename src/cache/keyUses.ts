import { hashApiKey } from '../auth/keyFormat.ts'
import type { Database } from '../db/connection/database.ts'
import { type KeyRecord, type KeyUse, storeKeyUses } from '../db/queries/keys/keyLookup.ts'

const intervalMs = 30_000

export type KeyUses = ReturnType<typeof recordKeyUses>

/** Collects when each secret was last used and stores it every 30 seconds. */
export function recordKeyUses(database: Database, onFailure: (error: unknown) => void) {
  let uses = new Map<string, Omit<KeyUse, 'keyHash'>>()
  const write = async () => {
    const pending = uses
    if (pending.size === 0) return
    uses = new Map()
    try {
      const all = [...pending].map(([secret, use]) => ({ ...use, keyHash: hashApiKey(secret) }))
      await storeKeyUses(database, all)
    } catch (error) {
      onFailure(error)
      uses = new Map([...pending, ...uses])
    }
  }
  const timer = setInterval(write, intervalMs)
  timer.unref()
  return {
    record(secret: string, { tenant, key }: KeyRecord, usedAt: Date): void {
      const usedAtMs = usedAt.getTime()
      const known = uses.get(secret)
      // Update in place: a new object for each request would have to be garbage-collected.
      if (known !== undefined) known.usedAtMs = usedAtMs
      else uses.set(secret, { tenantId: tenant.id, apiKeyId: key.id, usedAtMs })
    },
    /** Writes the pending uses and stops the timer; never rejects. */
    close() {
      clearInterval(timer)
      return write()
    },
  }
}
