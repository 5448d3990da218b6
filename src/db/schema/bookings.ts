import { sql } from 'drizzle-orm'
import { check, index, pgTable, primaryKey, unique } from 'drizzle-orm/pg-core'
import { bookingStatuses, recordedRefusals } from '../../domain/bookings.ts'
import type { Breakdown } from '../../domain/pricing/priceRental.ts'
import type { PriceSnapshot } from '../../domain/pricing/priceSnapshot.ts'
import { apiKeys, tenants } from './access.ts'
import { bytea, createdAt, instant, minor, oneOf, references, rowKey, tenantId } from './columns.ts'
import { assetGroups } from './fleet.ts'

export const quotes = pgTable(
  'quotes',
  (columns) => ({
    ...rowKey(),
    apiKeyId: columns.uuid('api_key_id').notNull(),
    /** Null, a value of its own, is the server channel (decision 23). */
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
    // What housekeeping looks for: offers that nobody took.
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
    erasedAt: instant('erased_at'),
    createdAt: createdAt(),
  }),
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    // The last line of defence: whatever the code does, a quote becomes one booking at most.
    unique('bookings_quote_unique').on(t.quoteId, t.tenantId),
    references(t, t.quoteId, quotes),
    references(t, t.apiKeyId, apiKeys),
    references(t, t.assetGroupId, assetGroups),
    index('bookings_overlap_idx')
      .using('gist', t.tenantId, t.assetGroupId, sql`tstzrange(${t.pickupAt}, ${t.dropoffAt})`)
      .where(sql`${t.status} in ('pending', 'confirmed')`),
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
    /** Confirmed although the recount said there was no vehicle left (decision 57). */
    forced: columns.boolean('forced').notNull().default(false),
    createdAt: createdAt(),
  }),
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    references(t, t.bookingId, bookings),
    index('booking_events_booking_idx').on(t.tenantId, t.bookingId),
    index('booking_events_created_idx').on(t.createdAt),
  ],
)

export const idempotencyRecords = pgTable(
  'idempotency_records',
  (columns) => ({
    tenantId: tenantId(),
    apiKeyId: columns.uuid('api_key_id').notNull(),
    /** The session's id, or `server`: visitors of one site share its key (decision 31). */
    sessionScope: columns.text('session_scope').notNull(),
    idempotencyKey: columns.text('idempotency_key').notNull(),
    /** Empty once the customer was erased (decision 459). */
    fingerprint: bytea('fingerprint').notNull(),
    /** `ACCEPTED`, or the code of the business refusal: always rendered to the same bytes. */
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
      sql`(${t.outcome} = 'ACCEPTED') = (${t.bookingId} is not null) and ${oneOf(t.outcome, ['ACCEPTED', ...recordedRefusals])}`,
    ),
  ],
)

/** How far the feed of a tenant's bookings is: what `rental bookings watch` tells (decision 407). */
export const bookingFeeds = pgTable('booking_feeds', (columns) => ({
  tenantId: tenantId()
    .primaryKey()
    .references(() => tenants.id),
  /** Position of the newest entry; 0 for none. */
  position: columns.bigint('position', { mode: 'number' }).notNull().default(0),
  /** What happened before this has its entry. */
  settledAt: instant('settled_at').notNull(),
}))

/** A booking that was made or decided, at its place in the feed. */
export const bookingFeedEntries = pgTable(
  'booking_feed_entries',
  (columns) => ({
    tenantId: tenantId(),
    position: columns.bigint('position', { mode: 'number' }).notNull(),
    bookingId: columns.uuid('booking_id').notNull(),
    /** The id of the decision's event; where a booking was made, the booking's id. */
    eventId: columns.uuid('event_id').notNull(),
    occurredAt: instant('occurred_at').notNull(),
  }),
  (t) => [
    primaryKey({ columns: [t.tenantId, t.position] }),
    references(t, t.bookingId, bookings),
    unique('booking_feed_entries_event_unique').on(t.eventId, t.tenantId),
    index('booking_feed_entries_occurred_idx').on(t.occurredAt),
  ],
)
