import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  customType,
  foreignKey,
  jsonb,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Translations } from '../../domain/languages.ts'

export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })
/** An amount in the currency's minor unit. */
export const minor = (name: string) => bigint(name, { mode: 'bigint' })
export const createdAt = () => instant('created_at').notNull().defaultNow()
/** The texts for customers in other languages than the tenant's. */
export const translations = () => jsonb('translations').$type<Translations>().notNull().default({})
export const tenantId = () => uuid('tenant_id').notNull()
export const id = () => uuid('id').notNull().defaultRandom()
/** The columns of a tenant-owned table's primary key. */
export const rowKey = () => ({ tenantId: tenantId(), id: id() })
/** Imports archive rows instead of deleting them, because quotes and bookings refer to them. */
export const archivableColumns = () => ({
  archivedAt: instant('archived_at'),
  createdAt: createdAt(),
})

interface OfTenant {
  readonly tenantId: AnyPgColumn
}

/** Returns the condition that a column has one of `values`, which are not escaped. */
export const oneOf = (column: AnyPgColumn, values: readonly string[]) =>
  sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(', '))})`

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
