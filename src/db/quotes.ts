import type { Breakdown } from '../domain/breakdown.ts'
import type { FrozenInputs } from '../domain/frozenInputs.ts'
import type { Database } from './client.ts'
import { runNamed } from './statement.ts'

/** An offer to be stored. */
export interface NewQuote {
  readonly tenantId: string
  /** The version of the tenant's catalog that it was priced by. */
  readonly catalogVersion: number
  readonly apiKeyId: string
  readonly sessionId: string | null
  readonly assetGroupId: string
  readonly pickupAt: Date
  readonly dropoffAt: Date
  readonly totalMinor: bigint
  readonly currency: string
  readonly inputs: FrozenInputs
  readonly breakdown: Breakdown
  readonly ttlSeconds: number
}

const insert = `
insert into quotes (tenant_id, api_key_id, session_id, asset_group_id, pickup_at, dropoff_at,
  total_minor, currency, inputs, breakdown, expires_at)
select id, $3, $4, $5, $6, $7, $8, $9, $10, $11, now() + make_interval(secs => $12)
from tenants where id = $1 and catalog_version = $2
returning id, expires_at as "expiresAt"`

/**
 * Stores a quote, unless the tenant's catalog is another by now: then nothing is stored, and the
 * answer is undefined. Its end of validity is set by the database's clock, which alone judges it
 * later.
 */
export async function insertQuote(
  database: Database,
  quote: NewQuote,
): Promise<{ id: string; expiresAt: Date } | undefined> {
  const [stored] = await runNamed<{ id: string; expiresAt: Date }>(
    database,
    'insert_quote',
    insert,
    [
      quote.tenantId,
      quote.catalogVersion,
      quote.apiKeyId,
      quote.sessionId,
      quote.assetGroupId,
      quote.pickupAt,
      quote.dropoffAt,
      quote.totalMinor,
      quote.currency,
      quote.inputs,
      quote.breakdown,
      quote.ttlSeconds,
    ],
  )
  return stored
}
