/**
 * The database schema. Keys of tenant-owned tables start with `tenant_id`, so that rows cannot
 * refer to another tenant's rows. Amounts are in the currency's minor unit, and ranges are
 * half-open.
 */
export * from './access.ts'
export * from './bookings.ts'
export * from './fleet.ts'
