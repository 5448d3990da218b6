import type pg from 'pg'
import { runStatements } from '../../helpers/maintenance.ts'

/** A scan of a table in an executed statement. */
export interface Scan {
  /** The statement as executed: sent, or inside a function, trigger or foreign key. */
  readonly statement: string
  readonly table: string
  /** The index, or the kind of scan without one. */
  readonly by: string
  /** The rows per execution, including those that a filter removed. */
  readonly rows: number
  /** The pages of index and table per execution. */
  readonly pages: number
  /** Whether the scan is restricted to one tenant. */
  readonly ofTenant: boolean
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly 'Recheck Cond'?: string
  readonly Filter?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly PlanNode[]
}

/** Makes PostgreSQL send the plan of each statement to the clients of the database. */
export async function explainEverything(url: string, ...settings: string[]): Promise<void> {
  const explained = [
    'log_min_duration = 0',
    'log_nested_statements = on',
    'log_analyze = on',
    'log_timing = off',
    'log_buffers = on',
    'log_format = json',
    'log_level = notice',
  ].map((setting) => `auto_explain.${setting}`)
  const database = new URL(url).pathname.slice(1)
  await runStatements(
    url,
    `load 'auto_explain'`,
    ...[`session_preload_libraries = 'auto_explain'`, ...explained, ...settings].map(
      (setting) => `alter database ${database} set ${setting}`,
    ),
  )
}

/** Returns a list to which every later table scan of the pools is added. */
export function watchScans(...pools: readonly pg.Pool[]): Scan[] {
  const scans: Scan[] = []
  const watch = (client: pg.PoolClient) =>
    client.on('notice', ({ message = '' }) => {
      if (!message.startsWith('duration: ')) return
      const explained: { 'Query Text': string; Plan: PlanNode } = JSON.parse(
        message.slice(message.indexOf('{')),
      )
      scans.push(...scansOf(explained['Query Text'].replace(/\s+/g, ' ').trim(), explained.Plan))
    })
  for (const pool of pools) pool.on('connect', watch)
  return scans
}

function scansOf(statement: string, node: PlanNode, table = node['Relation Name']): Scan[] {
  const inner = (node.Plans ?? []).flatMap((plan) =>
    scansOf(statement, plan, plan['Relation Name'] ?? bitmapTable(node)),
  )
  const by = node['Index Name'] ?? node['Node Type']
  if (table === undefined || !/Scan/.test(node['Node Type']) || node['Actual Loops'] === 0) {
    return inner
  }
  const dropped =
    (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  const pages = (node['Shared Hit Blocks'] + node['Shared Read Blocks']) / node['Actual Loops']
  const conditions = [node['Index Cond'], node['Recheck Cond'], node.Filter].join()
  const ofTenant = conditions.includes('tenant_id = ')
  return [{ statement, table, by, rows: node['Actual Rows'] + dropped, pages, ofTenant }, ...inner]
}

/** Returns the table of the bitmap index scans below a node. */
const bitmapTable = (node: PlanNode) =>
  node['Node Type'].startsWith('Bitmap') ? node['Relation Name'] : undefined
