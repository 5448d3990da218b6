import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  customType,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Breakdown } from '../domain/breakdown.ts'
import type { FrozenInputs } from '../domain/quotes.ts'

/**
 * The whole schema. Every tenant-owned table starts its primary key and its foreign keys with
 * `tenant_id`, so a row of one tenant can't point at another's and the database can be distributed
 * by tenant. Amounts are integers of the currency's minor unit (decision 52), ranges are half-open.
 */

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })
const minor = (name: string) => bigint(name, { mode: 'bigint' })
const createdAt = () => instant('created_at').notNull().defaultNow()
const tenantId = () => uuid('tenant_id').notNull()
/** Only where no composite foreign key already leads to the tenant. */
const tenantReference = () => tenantId().references(() => tenants.id)
const id = () => uuid('id').notNull().defaultRandom()

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
    status: text('status', { enum: ['active', 'suspended'] })
      .notNull()
      .default('active'),
    subscription: text('subscription', { enum: ['active', 'past_due', 'cancelled'] })
      .notNull()
      .default('active'),
    onlineBooking: boolean('online_booking').notNull().default(true),
    createdAt: createdAt(),
  },
  (t) => [
    check('tenants_currency_check', sql`${t.currency} ~ '^[A-Z]{3}$'`),
    check('tenants_tax_percent_check', sql`${t.taxPercent} between 0 and 100`),
    check('tenants_grace_check', sql`${t.gracePeriodMinutes} between 0 and 1439`),
    check('tenants_lead_check', sql`${t.minLeadMinutes} >= 0`),
    check('tenants_status_check', sql`${t.status} in ('active', 'suspended')`),
    check(
      'tenants_subscription_check',
      sql`${t.subscription} in ('active', 'past_due', 'cancelled')`,
    ),
  ],
)

export const apiKeys = pgTable(
  'api_keys',
  {
    tenantId: tenantReference(),
    id: id(),
    name: text('name').notNull(),
    keyHash: bytea('key_hash').notNull(),
    prefix: text('prefix').notNull(),
    last4: text('last4').notNull(),
    scopes: text('scopes').array().notNull(),
    origins: text('origins').array().notNull(),
    limits: jsonb('limits').$type<Record<string, number>>().notNull().default({}),
    expiresAt: instant('expires_at'),
    revokedAt: instant('revoked_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    unique('api_keys_hash_unique').on(t.tenantId, t.keyHash),
    // The only look-up that starts without a tenant: the key itself says which tenant is calling.
    index('api_keys_hash_idx').on(t.keyHash),
    check('api_keys_hash_check', sql`octet_length(${t.keyHash}) = 32`),
  ],
)

export const assetGroups = pgTable(
  'asset_groups',
  {
    tenantId: tenantReference(),
    id: id(),
    ref: text('ref').notNull(),
    name: text('name').notNull(),
    category: text('category').notNull(),
    description: text('description'),
    imageUrl: text('image_url'),
    currency: text('currency').notNull(),
    turnaroundMinutes: integer('turnaround_minutes').notNull(),
    archivedAt: instant('archived_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    unique('asset_groups_ref_unique').on(t.tenantId, t.ref),
    check('asset_groups_turnaround_check', sql`${t.turnaroundMinutes} between 0 and 43200`),
    check('asset_groups_currency_check', sql`${t.currency} ~ '^[A-Z]{3}$'`),
  ],
)

export const assets = pgTable(
  'assets',
  {
    tenantId: tenantId(),
    id: id(),
    assetGroupId: uuid('asset_group_id').notNull(),
    ref: text('ref').notNull(),
    archivedAt: instant('archived_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    unique('assets_ref_unique').on(t.tenantId, t.assetGroupId, t.ref),
    foreignKey({
      columns: [t.tenantId, t.assetGroupId],
      foreignColumns: [assetGroups.tenantId, assetGroups.id],
    }),
  ],
)

export const assetBlocks = pgTable(
  'asset_blocks',
  {
    tenantId: tenantId(),
    id: id(),
    assetId: uuid('asset_id').notNull(),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    reason: text('reason'),
    archivedAt: instant('archived_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({
      columns: [t.tenantId, t.assetId],
      foreignColumns: [assets.tenantId, assets.id],
    }),
    index('asset_blocks_asset_idx').on(t.tenantId, t.assetId),
    check('asset_blocks_period_check', sql`${t.startsAt} < ${t.endsAt}`),
  ],
)

export const rates = pgTable(
  'rates',
  {
    tenantId: tenantId(),
    id: id(),
    assetGroupId: uuid('asset_group_id').notNull(),
    ref: text('ref').notNull(),
    name: text('name').notNull(),
    dailyMinor: minor('daily_minor').notNull(),
    hourlyMinor: minor('hourly_minor'),
    weeklyMinor: minor('weekly_minor'),
    monthlyMinor: minor('monthly_minor'),
    validFrom: date('valid_from'),
    validTo: date('valid_to'),
    archivedAt: instant('archived_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    unique('rates_ref_unique').on(t.tenantId, t.assetGroupId, t.ref),
    foreignKey({
      columns: [t.tenantId, t.assetGroupId],
      foreignColumns: [assetGroups.tenantId, assetGroups.id],
    }),
    check('rates_daily_check', sql`${t.dailyMinor} > 0`),
    check('rates_hourly_check', sql`${t.hourlyMinor} > 0`),
    check('rates_weekly_check', sql`${t.weeklyMinor} > 0`),
    check('rates_monthly_check', sql`${t.monthlyMinor} > 0`),
    check('rates_validity_check', sql`${t.validFrom} <= ${t.validTo}`),
  ],
)

export const extras = pgTable(
  'extras',
  {
    tenantId: tenantReference(),
    id: id(),
    ref: text('ref').notNull(),
    name: text('name').notNull(),
    pricing: text('pricing', { enum: ['per_day', 'per_rental'] }).notNull(),
    currency: text('currency').notNull(),
    priceMinor: minor('price_minor').notNull(),
    maxPriceMinor: minor('max_price_minor'),
    archivedAt: instant('archived_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    unique('extras_ref_unique').on(t.tenantId, t.ref),
    check('extras_pricing_check', sql`${t.pricing} in ('per_day', 'per_rental')`),
    check('extras_price_check', sql`${t.priceMinor} >= 0`),
    check('extras_max_price_check', sql`${t.maxPriceMinor} >= 0`),
    check('extras_currency_check', sql`${t.currency} ~ '^[A-Z]{3}$'`),
  ],
)

export const quotes = pgTable(
  'quotes',
  {
    tenantId: tenantId(),
    id: id(),
    apiKeyId: uuid('api_key_id').notNull(),
    /** The browser session that asked; null is the server channel, a value of its own (decision 23). */
    sessionId: uuid('session_id'),
    assetGroupId: uuid('asset_group_id').notNull(),
    pickupAt: instant('pickup_at').notNull(),
    dropoffAt: instant('dropoff_at').notNull(),
    totalMinor: minor('total_minor').notNull(),
    currency: text('currency').notNull(),
    inputs: jsonb('inputs').$type<FrozenInputs>().notNull(),
    breakdown: jsonb('breakdown').$type<Breakdown>().notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({
      columns: [t.tenantId, t.apiKeyId],
      foreignColumns: [apiKeys.tenantId, apiKeys.id],
    }),
    foreignKey({
      columns: [t.tenantId, t.assetGroupId],
      foreignColumns: [assetGroups.tenantId, assetGroups.id],
    }),
    // What housekeeping looks for: offers that nobody took.
    index('quotes_unused_idx').on(t.expiresAt).where(sql`${t.usedAt} is null`),
    check('quotes_period_check', sql`${t.pickupAt} < ${t.dropoffAt}`),
    check('quotes_total_check', sql`${t.totalMinor} >= 0`),
  ],
)

export const bookings = pgTable(
  'bookings',
  {
    tenantId: tenantId(),
    id: id(),
    apiKeyId: uuid('api_key_id').notNull(),
    quoteId: uuid('quote_id').notNull(),
    assetGroupId: uuid('asset_group_id').notNull(),
    status: text('status', { enum: ['pending', 'confirmed', 'rejected', 'cancelled'] })
      .notNull()
      .default('pending'),
    pickupAt: instant('pickup_at').notNull(),
    dropoffAt: instant('dropoff_at').notNull(),
    totalMinor: minor('total_minor').notNull(),
    currency: text('currency').notNull(),
    customerFirstName: text('customer_first_name'),
    customerLastName: text('customer_last_name'),
    customerEmail: text('customer_email'),
    customerPhone: text('customer_phone'),
    pickupLocation: text('pickup_location'),
    dropoffLocation: text('dropoff_location'),
    notes: text('notes'),
    erasedAt: instant('erased_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    // The last line of defence: whatever the code does, a quote becomes one booking at most.
    unique('bookings_quote_unique').on(t.tenantId, t.quoteId),
    foreignKey({
      columns: [t.tenantId, t.quoteId],
      foreignColumns: [quotes.tenantId, quotes.id],
    }),
    foreignKey({
      columns: [t.tenantId, t.apiKeyId],
      foreignColumns: [apiKeys.tenantId, apiKeys.id],
    }),
    foreignKey({
      columns: [t.tenantId, t.assetGroupId],
      foreignColumns: [assetGroups.tenantId, assetGroups.id],
    }),
    index('bookings_overlap_idx')
      .using('gist', t.tenantId, t.assetGroupId, sql`tstzrange(${t.pickupAt}, ${t.dropoffAt})`)
      .where(sql`${t.status} in ('pending', 'confirmed')`),
    index('bookings_created_idx').on(t.tenantId, t.createdAt),
    check('bookings_period_check', sql`${t.pickupAt} < ${t.dropoffAt}`),
    check(
      'bookings_status_check',
      sql`${t.status} in ('pending', 'confirmed', 'rejected', 'cancelled')`,
    ),
    check(
      'bookings_customer_check',
      sql`${t.erasedAt} is not null or (${t.customerFirstName} is not null and ${t.customerLastName} is not null and ${t.customerEmail} is not null)`,
    ),
  ],
)

export const bookingEvents = pgTable(
  'booking_events',
  {
    tenantId: tenantId(),
    id: id(),
    bookingId: uuid('booking_id').notNull(),
    fromStatus: text('from_status').notNull(),
    toStatus: text('to_status').notNull(),
    actor: text('actor').notNull(),
    reason: text('reason'),
    /** Confirmed although the recount said there was no vehicle left (decision 57). */
    forced: boolean('forced').notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({
      columns: [t.tenantId, t.bookingId],
      foreignColumns: [bookings.tenantId, bookings.id],
    }),
    index('booking_events_booking_idx').on(t.tenantId, t.bookingId),
  ],
)

export const idempotencyRecords = pgTable(
  'idempotency_records',
  {
    tenantId: tenantId(),
    apiKeyId: uuid('api_key_id').notNull(),
    /** The session's id, or `server`: visitors of one site share its key (decision 31). */
    sessionScope: text('session_scope').notNull(),
    idempotencyKey: text('idempotency_key').notNull(),
    fingerprint: bytea('fingerprint').notNull(),
    /** `ACCEPTED`, or the code of the business refusal: always rendered to the same bytes. */
    outcome: text('outcome').notNull(),
    bookingId: uuid('booking_id'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.apiKeyId, t.sessionScope, t.idempotencyKey] }),
    foreignKey({
      columns: [t.tenantId, t.bookingId],
      foreignColumns: [bookings.tenantId, bookings.id],
    }),
    index('idempotency_records_created_idx').on(t.createdAt),
    check(
      'idempotency_records_outcome_check',
      sql`(${t.outcome} = 'ACCEPTED') = (${t.bookingId} is not null) and ${t.outcome} in ('ACCEPTED', 'QUOTE_NOT_FOUND', 'QUOTE_SESSION_MISMATCH', 'QUOTE_ALREADY_USED', 'QUOTE_EXPIRED')`,
    ),
  ],
)
