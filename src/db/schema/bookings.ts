import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  check,
  index,
  pgTable,
  primaryKey,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { bookingStatuses, recordedErrorCodes } from '../../domain/bookingRules.ts'
import type { Breakdown } from '../../domain/pricing/priceRental.ts'
import type { PriceSnapshot } from '../../domain/pricing/priceSnapshot.ts'
import { apiKeys, tenants } from './access.ts'
import { bytea, createdAt, instant, minor, oneOf, references, rowKey, tenantId } from './columns.ts'
import { assetGroups } from './fleet.ts'

/** The position in the tenant's booking feed; null until a reader of the feed assigns it. */
const feedPosition = () => bigint('feed_position', { mode: 'number' })

/**
 * Returns the index of the rows in the booking feed. It is partial, so that it is not used for
 * look-ups by primary key.
 */
const feedIndex = (name: string, t: Record<'tenantId' | 'feedPosition', AnyPgColumn>) =>
  uniqueIndex(name).on(t.tenantId, t.feedPosition).where(sql`${t.feedPosition} is not null`)

export const quotes = pgTable(
  'quotes',
  (columns) => ({
    ...rowKey(),
    apiKeyId: columns.uuid('api_key_id').notNull(),
    /** Null for the server channel; null matches only null. */
    sessionId: columns.uuid('session_id'),
    assetGroupId: columns.uuid('asset_group_id').notNull(),
    pickupAt: instant('pickup_at').notNull(),
    dropoffAt: instant('dropoff_at').notNull(),
    totalMinor: minor('total_minor').notNull(),
    currency: columns.text('currency').notNull(),
    inputs: columns.jsonb('inputs').$type<PriceSnapshot>().notNull(),
    breakdown: columns.jsonb('breakdown').$type<Breakdown>().notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
    createdAt: createdAt(),
  }),
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    references(t, t.apiKeyId, apiKeys),
    references(t, t.assetGroupId, assetGroups),
    // For housekeeping, which deletes expired quotes that were not used.
    index('quotes_unused_idx').on(t.expiresAt).where(sql`${t.usedAt} is null`),
    check('quotes_period_check', sql`${t.pickupAt} < ${t.dropoffAt}`),
    check('quotes_total_check', sql`${t.totalMinor} >= 0`),
  ],
)

export const bookings = pgTable(
  'bookings',
  (columns) => ({
    ...rowKey(),
    apiKeyId: columns.uuid('api_key_id').notNull(),
    quoteId: columns.uuid('quote_id').notNull(),
    assetGroupId: columns.uuid('asset_group_id').notNull(),
    status: columns.text('status', { enum: bookingStatuses }).notNull().default('pending'),
    pickupAt: instant('pickup_at').notNull(),
    dropoffAt: instant('dropoff_at').notNull(),
    totalMinor: minor('total_minor').notNull(),
    currency: columns.text('currency').notNull(),
    customerFirstName: columns.text('customer_first_name'),
    customerLastName: columns.text('customer_last_name'),
    customerEmail: columns.text('customer_email'),
    customerPhone: columns.text('customer_phone'),
    pickupLocation: columns.text('pickup_location'),
    dropoffLocation: columns.text('dropoff_location'),
    notes: columns.text('notes'),
    reference: columns.text('reference'),
    erasedAt: instant('erased_at'),
    createdAt: createdAt(),
    feedPosition: feedPosition(),
  }),
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    // Guarantees at most one booking per quote, even if the code has a bug.
    unique('bookings_quote_unique').on(t.quoteId, t.tenantId),
    references(t, t.quoteId, quotes),
    references(t, t.apiKeyId, apiKeys),
    references(t, t.assetGroupId, assetGroups),
    // Has all columns that availability reads, so that it does not read the table.
    index('bookings_overlap_idx')
      .on(t.tenantId, t.assetGroupId, t.dropoffAt, t.pickupAt, t.status, t.createdAt)
      .where(sql`${t.status} in ('pending', 'confirmed')`),
    index('bookings_unread_idx').on(t.tenantId, t.createdAt).where(sql`${t.feedPosition} is null`),
    feedIndex('bookings_feed_idx', t),
    // For housekeeping, which erases the customers of old bookings.
    index('bookings_unerased_idx').on(t.tenantId, t.dropoffAt).where(sql`${t.erasedAt} is null`),
    check('bookings_period_check', sql`${t.pickupAt} < ${t.dropoffAt}`),
    check('bookings_status_check', oneOf(t.status, bookingStatuses)),
    check(
      'bookings_customer_check',
      sql`${t.erasedAt} is not null or (${t.customerFirstName} is not null and ${t.customerLastName} is not null and ${t.customerEmail} is not null)`,
    ),
  ],
)

export const bookingEvents = pgTable(
  'booking_events',
  (columns) => ({
    ...rowKey(),
    bookingId: columns.uuid('booking_id').notNull(),
    fromStatus: columns.text('from_status').notNull(),
    toStatus: columns.text('to_status').notNull(),
    actor: columns.text('actor').notNull(),
    reason: columns.text('reason'),
    /** For the customer; the reason is internal. */
    message: columns.text('message'),
    /** True when the booking was confirmed although no vehicle was left. */
    forced: columns.boolean('forced').notNull().default(false),
    /** A decision is later than its booking and an earlier decision, whatever the clock says. */
    createdAt: createdAt(),
    feedPosition: feedPosition(),
  }),
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    references(t, t.bookingId, bookings),
    index('booking_events_booking_idx').on(t.tenantId, t.bookingId),
    index('booking_events_created_idx').on(t.createdAt),
    index('booking_events_erased_idx').on(t.createdAt).where(sql`${t.fromStatus} = ${t.toStatus}`),
    index('booking_events_unread_idx')
      .on(t.tenantId, t.feedPosition, t.createdAt)
      .where(sql`${t.feedPosition} is null and ${t.fromStatus} <> ${t.toStatus}`),
    feedIndex('booking_events_feed_idx', t),
    // For housekeeping, which erases the reasons and messages of erased bookings.
    index('booking_events_words_idx')
      .on(t.tenantId, t.bookingId)
      .where(
        sql`coalesce(${t.reason}, ${t.message}) is not null and ${t.fromStatus} <> ${t.toStatus}`,
      ),
  ],
)

export const idempotencyRecords = pgTable(
  'idempotency_records',
  (columns) => ({
    tenantId: tenantId(),
    apiKeyId: columns.uuid('api_key_id').notNull(),
    /** The session's ID, or `server`. Visitors of a website share its API key. */
    sessionScope: columns.text('session_scope').notNull(),
    idempotencyKey: columns.text('idempotency_key').notNull(),
    /** Empty after the customer was erased. */
    fingerprint: bytea('fingerprint').notNull(),
    /** `ACCEPTED`, or an error code. A replay renders the same response from it. */
    outcome: columns.text('outcome').notNull(),
    bookingId: columns.uuid('booking_id'),
    createdAt: createdAt(),
  }),
  (t) => [
    primaryKey({ columns: [t.tenantId, t.apiKeyId, t.sessionScope, t.idempotencyKey] }),
    references(t, t.bookingId, bookings),
    index('idempotency_records_created_idx').on(t.createdAt),
    check(
      'idempotency_records_outcome_check',
      sql`(${t.outcome} = 'ACCEPTED') = (${t.bookingId} is not null) and ${oneOf(t.outcome, ['ACCEPTED', ...recordedErrorCodes])}`,
    ),
  ],
)

/** The booking feed of each tenant, which `rental bookings watch` reads. */
export const bookingFeeds = pgTable('booking_feeds', (columns) => ({
  tenantId: tenantId()
    .primaryKey()
    .references(() => tenants.id),
  /** The newest position; 0 for an empty feed. */
  position: columns.bigint('position', { mode: 'number' }).notNull().default(0),
}))
