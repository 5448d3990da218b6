import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  customType,
  foreignKey,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'

// The kinds of column that stand in several tables.

export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })
export const minor = (name: string) => bigint(name, { mode: 'bigint' })
export const createdAt = () => instant('created_at').notNull().defaultNow()
export const tenantId = () => uuid('tenant_id').notNull()
export const id = () => uuid('id').notNull().defaultRandom()
/** How the row of a tenant is found. */
export const rowKey = () => ({ tenantId: tenantId(), id: id() })
/** A row that an import archives stays: what refers to it outlives it. */
export const lifetime = () => ({ archivedAt: instant('archived_at'), createdAt: createdAt() })

interface OfTenant {
  readonly tenantId: AnyPgColumn
}

export const oneOf = (column: AnyPgColumn, values: readonly string[]) =>
  sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(', '))})`

/** A reference within the tenant. */
export function references(
  { tenantId }: OfTenant,
  column: AnyPgColumn,
  table: OfTenant & { readonly id: AnyPgColumn },
) {
  return foreignKey({
    columns: [tenantId, column],
    foreignColumns: [table.tenantId, table.id],
  })
}
