import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  foreignKey,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { subscriptions, tenantStatuses } from '../../domain/access.ts'
import { seasonsChoices } from '../../domain/stretches.ts'
import { bytea, createdAt, id, instant, oneOf, references, tenantId } from './columns.ts'

export const tenants = pgTable(
  'tenants',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    slug: text('slug').notNull().unique(),
    name: text('name').notNull(),
    timezone: text('timezone').notNull(),
    currency: text('currency').notNull(),
    taxPercent: numeric('tax_percent', { precision: 7, scale: 4 }).notNull(),
    pricesIncludeTax: boolean('prices_include_tax').notNull(),
    gracePeriodMinutes: integer('grace_period_minutes').notNull(),
    minLeadMinutes: integer('min_lead_minutes'),
    seasons: text('seasons', { enum: seasonsChoices }).notNull().default('per_day'),
    /** How long a pending booking counts as taken; null: until staff decide (decision 56). */
    pendingHoldHours: integer('pending_hold_hours'),
    status: text('status', { enum: tenantStatuses }).notNull().default('active'),
    subscription: text('subscription', { enum: subscriptions }).notNull().default('active'),
    onlineBooking: boolean('online_booking').notNull().default(true),
    /** A place to try things: its bookings may be decided by `rental bookings rehearse` (decision 409). */
    sandbox: boolean('sandbox').notNull().default(false),
    /** Only release 0.1 reads it, and its triggers raise it: see `catalogVersions`. */
    catalogVersion: bigint('catalog_version', { mode: 'number' }).notNull().default(1),
    createdAt: createdAt(),
  },
  (t) => [
    check('tenants_currency_check', sql`${t.currency} ~ '^[A-Z]{3}$'`),
    check('tenants_tax_percent_check', sql`${t.taxPercent} between 0 and 100`),
    check('tenants_grace_check', sql`${t.gracePeriodMinutes} between 0 and 1439`),
    check('tenants_lead_check', sql`${t.minLeadMinutes} >= 0`),
    check('tenants_seasons_check', oneOf(t.seasons, seasonsChoices)),
    check('tenants_pending_hold_check', sql`${t.pendingHoldHours} >= 1`),
    check('tenants_status_check', oneOf(t.status, tenantStatuses)),
    check('tenants_subscription_check', oneOf(t.subscription, subscriptions)),
  ],
)

/**
 * Raised with every change of what a tenant offers, in the transaction that changes it: a table of
 * its own, so that it is where the rates are (docs/scaling.md). A tenant that never offered anything
 * has no row.
 */
export const catalogVersions = pgTable('catalog_versions', {
  tenantId: uuid('tenant_id')
    .primaryKey()
    .references(() => tenants.id),
  version: bigint('version', { mode: 'number' }).notNull().default(1),
})

/** What a caller is known as, whichever of its secrets it sends (decision 26). */
export const apiKeyIdentities = pgTable(
  'api_key_identities',
  {
    tenantId: tenantId(),
    id: id(),
    name: text('name').notNull(),
    scopes: text('scopes').array().notNull(),
    origins: text('origins').array().notNull(),
    limits: jsonb('limits').$type<Record<string, number>>().notNull().default({}),
    expiresAt: instant('expires_at'),
    revokedAt: instant('revoked_at'),
    createdAt: createdAt(),
  },
  // The constraints are older than the table's name.
  (t) => [
    primaryKey({ name: 'api_keys_tenant_id_id_pk', columns: [t.tenantId, t.id] }),
    foreignKey({
      name: 'api_keys_tenant_id_tenants_id_fk',
      columns: [t.tenantId],
      foreignColumns: [tenants.id],
    }),
  ],
)

export const apiKeySecrets = pgTable(
  'api_key_secrets',
  {
    tenantId: tenantId(),
    apiKeyId: uuid('api_key_id').notNull(),
    keyHash: bytea('key_hash').notNull(),
    prefix: text('prefix').notNull(),
    last4: text('last4').notNull(),
    /** Set when another secret took its place: until then both are good. */
    endsAt: instant('ends_at'),
    /** The minute in which a replica last let it in; told late (decision 400). */
    lastUsedAt: instant('last_used_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.apiKeyId, t.keyHash] }),
    references(t, t.apiKeyId, apiKeyIdentities, 'api_key_secrets_key_fk'),
    // The only look-up that starts without a tenant: the secret itself says which tenant is
    // calling.
    unique('api_key_secrets_hash_unique').on(t.keyHash),
    check('api_key_secrets_hash_check', sql`octet_length(${t.keyHash}) = 32`),
  ],
)
