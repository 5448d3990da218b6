import { sql } from 'drizzle-orm'
import { check, customType, foreignKey, pgTable, primaryKey, unique } from 'drizzle-orm/pg-core'
import { subscriptions, tenantStatuses } from '../../domain/accountRules.ts'
import type { StationHours } from '../../domain/openingHours.ts'
import { gracePeriodMinutesMax } from '../../domain/pricing/period.ts'
import { seasonsChoices } from '../../domain/pricing/ratePeriods.ts'
import { shortPercent } from '../../domain/pricing/tax.ts'
import {
  bytea,
  createdAt,
  instant,
  oneOf,
  references,
  rowKey,
  tenantId,
  translations,
} from './columns.ts'

const graceMax = sql.raw(`${gracePeriodMinutesMax}`)

/** A percentage such as `7.7`, without trailing zeros. */
const percent = customType<{ data: string; driverData: string }>({
  dataType: () => 'numeric(7, 4)',
  fromDriver: shortPercent,
})

export const tenants = pgTable(
  'tenants',
  (columns) => ({
    id: columns.uuid('id').primaryKey().defaultRandom(),
    slug: columns.text('slug').notNull().unique(),
    name: columns.text('name').notNull(),
    timeZone: columns.text('timezone').notNull(),
    currency: columns.text('currency').notNull(),
    taxPercent: percent('tax_percent').notNull(),
    pricesIncludeTax: columns.boolean('prices_include_tax').notNull(),
    gracePeriodMinutes: columns.integer('grace_period_minutes').notNull(),
    minLeadMinutes: columns.integer('min_lead_minutes'),
    seasons: columns.text('seasons', { enum: seasonsChoices }).notNull().default('per_day'),
    /** The hours for which a pending booking holds a vehicle; null: until staff decide. */
    pendingHoldHours: columns.integer('pending_hold_hours'),
    /** The months after the drop-off for which customer data is kept; null: for ever. */
    customerRetentionMonths: columns.integer('customer_retention_months'),
    /** The hours by weekday; null: always open. */
    openingHours: columns.jsonb('opening_hours').$type<StationHours['openingHours']>(),
    /** The dates with other hours. */
    specialDays: columns
      .jsonb('special_days')
      .$type<StationHours['specialDays']>()
      .notNull()
      .default([]),
    address: columns.text('address'),
    facts: columns.text('facts').array().notNull().default([]),
    translations: translations(),
    /** The BCP 47 tag of the texts that are not in `translations`. */
    language: columns.text('language').notNull().default('en'),
    /** Counts the changes of the terms and the fleet, without blocks. A workbook carries it. */
    fleetState: columns.integer('fleet_state').notNull().default(0),
    /** The state that the workbook of the last change carried; null: another change. */
    fleetStateFrom: columns.integer('fleet_state_from'),
    status: columns.text('status', { enum: tenantStatuses }).notNull().default('active'),
    subscription: columns.text('subscription', { enum: subscriptions }).notNull().default('active'),
    onlineBooking: columns.boolean('online_booking').notNull().default(true),
    createdAt: createdAt(),
  }),
  (t) => [
    check('tenants_currency_check', sql`${t.currency} ~ '^[A-Z]{3}$'`),
    check('tenants_tax_percent_check', sql`${t.taxPercent} between 0 and 100`),
    check('tenants_grace_check', sql`${t.gracePeriodMinutes} between 0 and ${graceMax}`),
    check('tenants_lead_check', sql`${t.minLeadMinutes} >= 0`),
    check('tenants_seasons_check', oneOf(t.seasons, seasonsChoices)),
    check('tenants_pending_hold_check', sql`${t.pendingHoldHours} >= 1`),
    check('tenants_customer_retention_check', sql`${t.customerRetentionMonths} >= 1`),
    check('tenants_status_check', oneOf(t.status, tenantStatuses)),
    check('tenants_subscription_check', oneOf(t.subscription, subscriptions)),
  ],
)

/**
 * The version of a tenant's catalog, updated by triggers. Not a column of `tenants`, because it
 * must be on the same node as the rates (docs/scaling.md).
 */
export const catalogVersions = pgTable('catalog_versions', (columns) => ({
  tenantId: tenantId()
    .primaryKey()
    .references(() => tenants.id),
  version: columns.bigint('version', { mode: 'number' }).notNull().default(1),
}))

export const apiKeys = pgTable(
  'api_keys',
  (columns) => ({
    ...rowKey(),
    name: columns.text('name').notNull(),
    scopes: columns.text('scopes').array().notNull(),
    origins: columns.text('origins').array().notNull(),
    /** True when a POST without `Origin` is rejected. */
    browserOnly: columns.boolean('browser_only').notNull().default(false),
    limits: columns.jsonb('limits').$type<Record<string, number>>().notNull().default({}),
    expiresAt: instant('expires_at'),
    revokedAt: instant('revoked_at'),
    createdAt: createdAt(),
  }),
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId], foreignColumns: [tenants.id] }),
  ],
)

export const apiKeySecrets = pgTable(
  'api_key_secrets',
  (columns) => ({
    tenantId: tenantId(),
    apiKeyId: columns.uuid('api_key_id').notNull(),
    keyHash: bytea('key_hash').notNull(),
    prefix: columns.text('prefix').notNull(),
    last4: columns.text('last4').notNull(),
    /** Set when the secret is replaced. Until this time, the old and the new secret are valid. */
    endsAt: instant('ends_at'),
    /** The minute in which a replica last accepted the secret; written with a delay. */
    lastUsedAt: instant('last_used_at'),
    createdAt: createdAt(),
  }),
  (t) => [
    primaryKey({ columns: [t.tenantId, t.apiKeyId, t.keyHash] }),
    references(t, t.apiKeyId, apiKeys),
    // For the only lookup without a tenant: the secret determines the tenant.
    unique('api_key_secrets_hash_unique').on(t.keyHash),
    check('api_key_secrets_hash_check', sql`octet_length(${t.keyHash}) = 32`),
  ],
)
