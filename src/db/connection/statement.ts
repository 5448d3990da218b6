import { and, eq, getTableColumns, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import type { StatementRunner } from './database.ts'

/**
 * Runs raw SQL, as a prepared statement called `name` unless prepared statements are off. With
 * `rowsPerPart`, the server sends that many rows at a time, so that other requests continue between
 * the parts. Pipelined connections cannot do that.
 */
export async function runNamed<Row extends pg.QueryResultRow>(
  database: StatementRunner,
  name: string,
  text: string,
  values: readonly unknown[],
  rowsPerPart?: number,
): Promise<Row[]> {
  const named = database.preparedStatements ? { name } : {}
  const parts = rowsPerPart && { rows: rowsPerPart }
  const result = await database.pool.query<Row>({ text, values: [...values], ...named, ...parts })
  return result.rows
}

/** Returns the named columns of a table, for a select under their own names. */
export function columnsOf<Table extends PgTable, Name extends keyof Table['_']['columns'] & string>(
  table: Table,
  ...names: readonly Name[]
): Pick<Table['_']['columns'], Name> {
  const columns: Table['_']['columns'] = getTableColumns(table)
  return Object.fromEntries(names.map((name) => [name, columns[name]])) as typeof columns
}

export interface RowKey {
  readonly tenantId: string
  readonly id: string
}

/**
 * Returns the condition for one row of a tenant. Each part is a value or another table's column.
 */
export function rowOf(
  table: { readonly tenantId: PgColumn; readonly id: PgColumn },
  tenantId: PgColumn | SQL | string,
  id: PgColumn | SQL | string,
) {
  return and(eq(table.tenantId, tenantId), eq(table.id, id))
}
