/**
 * The location of each table in a distributed database (docs/scaling.md). Add every new table to
 * one of the lists; `rental distribute` and a test reject tables without a location.
 */
export const placement: Readonly<Record<'reference' | 'distributed', readonly string[]>> = {
  /** Copied to every node, because these tables are read before the tenant is known. */
  reference: ['tenants', 'api_keys', 'api_key_secrets'],
  /** Distributed by `tenant_id`, with all rows of a tenant on one node. */
  distributed: [
    'catalog_versions',
    'asset_groups',
    'assets',
    'asset_blocks',
    'rates',
    'extras',
    'quotes',
    'bookings',
    'booking_events',
    'idempotency_records',
    'booking_feeds',
  ],
}

/** Functions that run on the node of the tenant in their first argument. */
export const tenantFunctions = ['store_quotes', 'redeem_quote']
