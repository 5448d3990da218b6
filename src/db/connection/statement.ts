import { and, eq, getTableColumns, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import type { StatementRunner } from './database.ts'

/** Runs a hand-written statement, named unless the database was opened without named statements. */
export async function runNamed<Row extends pg.QueryResultRow>(
  database: StatementRunner,
  name: string,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const named = database.preparedStatements ? { name } : {}
  const result = await database.pool.query<Row>({ text, values: [...values], ...named })
  return result.rows
}

/** Some columns of a table, to be selected under their own names. */
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

/** Holds a statement to one row of a tenant; by values, or by columns of other tables. */
export function rowOf(
  table: { readonly tenantId: PgColumn; readonly id: PgColumn },
  tenantId: PgColumn | SQL | string,
  id: PgColumn | SQL | string,
) {
  return and(eq(table.tenantId, tenantId), eq(table.id, id))
}
