/**
 * The whole schema. Every tenant-owned table starts its primary key and its foreign keys with
 * `tenant_id`, so a row of one tenant can't point at another's and the database can be distributed
 * by tenant. Amounts are integers of the currency's minor unit (decision 52), ranges are half-open.
 */
export * from './access.ts'
export * from './bookings.ts'
export * from './fleet.ts'
