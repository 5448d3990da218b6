import { minuteMs } from '../domain/units.ts'
import type { Database } from './client.ts'

/** A secret of a key that was let in. */
export interface KeyUse {
  readonly tenantId: string
  readonly apiKeyId: string
  readonly keyHash: Buffer
  readonly usedAt: Date
}

/** In the order of the hashes, so that replicas don't wait for each other crosswise. */
const note = `
update api_key_secrets s set last_used_at = used.minute
from (select * from unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::timestamptz[])
  as use(tenant_id, api_key_id, key_hash, minute) order by key_hash) used
where s.tenant_id = used.tenant_id and s.api_key_id = used.api_key_id and s.key_hash = used.key_hash
  and (s.last_used_at is null or s.last_used_at < used.minute)`

/** Writes down in which minute secrets were used, unless a later one is there already. */
export async function noteKeyUses(
  { pool }: Pick<Database, 'pool'>,
  uses: readonly KeyUse[],
): Promise<void> {
  await pool.query(note, [
    uses.map(({ tenantId }) => tenantId),
    uses.map(({ apiKeyId }) => apiKeyId),
    uses.map(({ keyHash }) => keyHash),
    uses.map(({ usedAt }) => new Date(Math.floor(usedAt.getTime() / minuteMs) * minuteMs)),
  ])
}
