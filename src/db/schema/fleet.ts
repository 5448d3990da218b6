import { sql } from 'drizzle-orm'
import { check, index, pgTable, primaryKey, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { turnaroundMinutesMax } from '../../domain/occupancy.ts'
import { extraPricings } from '../../domain/pricing/extras.ts'
import { tenants } from './access.ts'
import {
  archivableColumns,
  id,
  instant,
  minor,
  oneOf,
  references,
  rowKey,
  tenantId,
  translations,
} from './columns.ts'

const minutesMax = sql.raw(`${turnaroundMinutesMax}`)

export const assetGroups = pgTable(
  'asset_groups',
  (columns) => ({
    tenantId: tenantId().references(() => tenants.id),
    id: id(),
    ref: columns.text('ref').notNull(),
    name: columns.text('name').notNull(),
    category: columns.text('category').notNull(),
    description: columns.text('description'),
    translations: translations(),
    imageUrl: columns.text('image_url'),
    currency: columns.text('currency').notNull(),
    turnaroundMinutes: columns.integer('turnaround_minutes').notNull(),
    ...archivableColumns(),
  }),
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    // The condition is always true. Without the condition, the planner may use this index for
    // foreign key checks, and scan all groups of the tenant.
    uniqueIndex('asset_groups_ref_unique').on(t.tenantId, t.ref).where(sql`${t.ref} >= ''`),
    check('asset_groups_turnaround_check', sql`${t.turnaroundMinutes} between 0 and ${minutesMax}`),
    check('asset_groups_currency_check', sql`${t.currency} ~ '^[A-Z]{3}$'`),
  ],
)

export const assets = pgTable(
  'assets',
  (columns) => ({
    ...rowKey(),
    assetGroupId: columns.uuid('asset_group_id').notNull(),
    ref: columns.text('ref').notNull(),
    /** `foldRef` of the ref. Not an expression, because `lower` depends on the database's locale. */
    foldedRef: columns.text('folded_ref').notNull(),
    ...archivableColumns(),
  }),
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    // The conditions and the last index's column are chosen as for `asset_groups_ref_unique`.
    uniqueIndex('assets_ref_unique').on(t.tenantId, t.ref).where(sql`${t.ref} >= ''`),
    // Not unique: vehicles that a later version of `foldRef` makes equal stay two.
    index('assets_folded_ref_idx').on(t.tenantId, t.foldedRef).where(sql`${t.foldedRef} >= ''`),
    index('assets_group_idx').on(t.tenantId, t.assetGroupId),
    references(t, t.assetGroupId, assetGroups),
  ],
)

export const assetBlocks = pgTable(
  'asset_blocks',
  (columns) => ({
    ...rowKey(),
    assetId: columns.uuid('asset_id').notNull(),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    reason: columns.text('reason'),
    /** The operator who set the block by command; null for a block of the fleet file. */
    blockedBy: columns.text('blocked_by'),
    ...archivableColumns(),
  }),
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    references(t, t.assetId, assets),
    index('asset_blocks_asset_idx').on(t.tenantId, t.assetId),
    check('asset_blocks_period_check', sql`${t.startsAt} < ${t.endsAt}`),
  ],
)

export const rates = pgTable(
  'rates',
  (columns) => ({
    ...rowKey(),
    assetGroupId: columns.uuid('asset_group_id').notNull(),
    ref: columns.text('ref').notNull(),
    name: columns.text('name').notNull(),
    translations: translations(),
    dailyMinor: minor('daily_minor').notNull(),
    hourlyMinor: minor('hourly_minor'),
    weeklyMinor: minor('weekly_minor'),
    monthlyMinor: minor('monthly_minor'),
    minDays: columns.integer('min_days'),
    validFrom: columns.date('valid_from'),
    validTo: columns.date('valid_to'),
    ...archivableColumns(),
  }),
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    unique('rates_ref_unique').on(t.tenantId, t.assetGroupId, t.ref),
    references(t, t.assetGroupId, assetGroups),
    check('rates_daily_check', sql`${t.dailyMinor} > 0`),
    check('rates_hourly_check', sql`${t.hourlyMinor} > 0`),
    check('rates_weekly_check', sql`${t.weeklyMinor} > 0`),
    check('rates_monthly_check', sql`${t.monthlyMinor} > 0`),
    check('rates_min_days_check', sql`${t.minDays} > 0`),
    check('rates_validity_check', sql`${t.validFrom} <= ${t.validTo}`),
  ],
)

export const extras = pgTable(
  'extras',
  (columns) => ({
    tenantId: tenantId().references(() => tenants.id),
    id: id(),
    ref: columns.text('ref').notNull(),
    name: columns.text('name').notNull(),
    category: columns.text('category'),
    description: columns.text('description'),
    translations: translations(),
    pricing: columns.text('pricing', { enum: extraPricings }).notNull(),
    currency: columns.text('currency').notNull(),
    priceMinor: minor('price_minor').notNull(),
    maxPriceMinor: minor('max_price_minor'),
    ...archivableColumns(),
  }),
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    unique('extras_ref_unique').on(t.tenantId, t.ref),
    check('extras_pricing_check', oneOf(t.pricing, extraPricings)),
    check('extras_price_check', sql`${t.priceMinor} >= 0`),
    check('extras_max_price_check', sql`${t.maxPriceMinor} >= 0`),
    check('extras_currency_check', sql`${t.currency} ~ '^[A-Z]{3}$'`),
  ],
)
