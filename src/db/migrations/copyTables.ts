import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { tableConfigs, tables } from '../schema/tables.ts'

/** Triggers of other tables write into this one, so it is copied last. */
const writtenByTriggers = 'catalog_versions'

export const tablesInOrder = tables
  .filter((name) => name !== writtenByTriggers)
  .concat(writtenByTriggers)

export interface CopiedTable {
  readonly name: string
  readonly rows: number
}

/**
 * Copies a snapshot of `source` into the empty tables of `target`, in one transaction.
 * @throws Error when a table's row counts differ after the copy
 */
export async function copyTables(source: pg.Client, target: pg.Client): Promise<CopiedTable[]> {
  const copied: CopiedTable[] = []
  await source.query('begin isolation level repeatable read read only')
  // Citus requires this after the transaction has written to reference tables.
  await target.query(`begin; set local citus.multi_shard_modify_mode to 'sequential'`)
  for (const name of tablesInOrder) {
    if (name === writtenByTriggers) await target.query(`delete from ${name}`)
    await copyTable(source, target, name)
    const [expected, rows] = [await countRows(source, name), await countRows(target, name)]
    if (rows !== expected) throw new Error(`Bug: ${name} has ${rows} of ${expected} rows`)
    copied.push({ name, rows })
  }
  await target.query('commit')
  await source.query('commit')
  return copied
}

/**
 * Copies as text, which all versions can read, and by column name, because the order may differ.
 */
async function copyTable(source: pg.Client, target: pg.Client, name: string): Promise<void> {
  const { rows } = await source.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
     where attrelid = $1::regclass and attname = any ($2) and not attisdropped and attgenerated = ''`,
    [name, tableConfigs.find((table) => table.name === name)?.columns.map((column) => column.name)],
  )
  const columns = rows[0]?.columns ?? ''
  await pipeline(
    source.query(copyTo(`copy (select ${columns} from ${name}) to stdout`)),
    target.query(copyFrom(`copy ${name} (${columns}) from stdin`)),
  )
}

async function countRows(client: pg.Client, name: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`select count(*) as count from ${name}`)
  return Number(rows[0]?.count)
}
