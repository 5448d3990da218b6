import { bigint, customType, timestamp, uuid } from 'drizzle-orm/pg-core'

/** The kinds of column that stand in several tables. */

export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })
export const minor = (name: string) => bigint(name, { mode: 'bigint' })
export const createdAt = () => instant('created_at').notNull().defaultNow()
export const tenantId = () => uuid('tenant_id').notNull()
export const id = () => uuid('id').notNull().defaultRandom()
