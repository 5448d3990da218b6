import type pg from 'pg'
import { placement, tenantFunctions } from './placement.ts'

export type Queryable = Pick<pg.Client | pg.Pool, 'query'>

/**
 * Settings for connections that change tables. Citus needs them for tables with foreign keys and
 * triggers; PostgreSQL without Citus accepts and ignores them.
 */
export const changingTables = `
  set citus.multi_shard_modify_mode = 'sequential';
  set citus.enable_unsafe_triggers = on`

/** Reports whether the database is distributed by tenant (docs/scaling.md). */
export async function isDistributed(database: Queryable): Promise<boolean> {
  const { rows } = await database.query<{ table: string | null }>(
    `select to_regclass('pg_dist_partition') as table`,
  )
  if (rows[0]?.table == null) return false
  const { rowCount } = await database.query(
    `select from pg_dist_partition where logicalrelid = to_regclass('public.tenants')`,
  )
  return rowCount === 1
}

/** Distributes a table and its rows as in `placement`, unless it is distributed already. */
export async function distributeTable(client: Queryable, name: string): Promise<void> {
  if (placement.reference.includes(name)) {
    await client.query(`select create_reference_table($1) where ${notDistributed}`, [name])
  } else if (placement.distributed.includes(name)) {
    await client.query(
      `select create_distributed_table($1, 'tenant_id', colocate_with => 'default') where ${notDistributed}`,
      [name],
    )
  }
}

const notDistributed =
  'not exists (select from pg_dist_partition where logicalrelid = $1::regclass)'

/** Makes a function of `tenantFunctions` run on the node of its tenant. */
export async function distributeFunction(client: Queryable, name: string): Promise<void> {
  if (!tenantFunctions.includes(name)) return
  await client.query(
    `select create_distributed_function($1::regproc::regprocedure, 'p_tenant_id',
       colocate_with => 'default')`,
    [name],
  )
}

/** Returns SQL that selects the grants on a view, other than its owner's, as statements. */
export const grantsOn = (view: string) => `(
  select string_agg(format('grant %s on %s to %s', privilege_type, oid::regclass,
    case grantee when 0 then 'public' else grantee::regrole::text end), '; ')
  from pg_class, aclexplode(relacl) where oid = to_regclass(${view}) and grantee <> relowner)`

/** Returns the grants on a view as SQL, '' without any or when the view does not exist. */
export async function grantsOf(client: Queryable, view: string): Promise<string> {
  const { rows } = await client.query<{ grants: string | null }>(
    `select ${grantsOn('$1')} as grants`,
    [view],
  )
  return rows[0]?.grants ?? ''
}
