/**
 * Where the tables are when tenants are spread over several machines (docs/scaling.md). `rental
 * distribute` and a test refuse a table in neither list: who adds one says where it belongs.
 */
export const placement: Readonly<Record<'reference' | 'distributed', readonly string[]>> = {
  /** Whole on every node: what is looked up before the tenant is known. */
  reference: ['tenants', 'api_keys', 'api_key_secrets'],
  /** By `tenant_id`, all rows of a tenant together. */
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
    'booking_feed_entries',
  ],
}

/** Run on the node of the tenant who is their first argument. */
export const tenantFunctions = ['store_quotes', 'redeem_quote']
