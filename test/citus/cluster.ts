import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { runStatements } from '../helpers/maintenance.ts'

/** A database of its own on a Citus cluster; nothing in it yet. */
export interface ClusterDatabase {
  readonly coordinator: string
  readonly workers: readonly string[]
  drop(): Promise<void>
}

/** `CITUS_URL` is a database on a coordinator, of a superuser, with its workers added. */
function clusterUrl(): string {
  const url = process.env['CITUS_URL']
  if (url) return url
  throw new Error(
    'These tests need a Citus cluster: set CITUS_URL to a database on its coordinator, as a ' +
      'superuser, with the extension and two workers or more (docs/scaling.md).',
  )
}

interface Node {
  readonly host: string
  readonly port: number
}

export async function rowsOf<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  ...values: unknown[]
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

function at(url: string, { host, port }: Node, database?: string): string {
  const node = new URL(url)
  node.hostname = host
  node.port = String(port)
  if (database !== undefined) node.pathname = `/${database}`
  return node.href
}

export async function createClusterDatabase(): Promise<ClusterDatabase> {
  const server = clusterUrl()
  const nodes = await rowsOf<Node & { groupid: number }>(
    server,
    `select nodename as host, nodeport as port, groupid from pg_dist_node
     where noderole = 'primary' order by groupid`,
  )
  const main = nodes.find(({ groupid }) => groupid === 0)
  const others = nodes.filter(({ groupid }) => groupid > 0)
  if (main === undefined || others.length < 2) {
    throw new Error('CITUS_URL must be on a coordinator that has an address and two workers.')
  }
  const name = `citus_${randomBytes(6).toString('hex')}`
  const everywhere = [main, ...others]
  for (const node of everywhere) {
    await runStatements(at(server, node), `create database ${name}`)
    await runStatements(at(server, node, name), 'create extension citus')
  }
  const coordinator = at(server, main, name)
  const add = ({ host, port }: Node, how: string) => `select ${how}('${host}', ${port})`
  await runStatements(
    coordinator,
    add(main, 'citus_set_coordinator_host'),
    ...others.map((node) => add(node, 'citus_add_node')),
  )
  return {
    coordinator,
    workers: others.map((node) => at(server, node, name)),
    async drop() {
      for (const node of everywhere) {
        await runStatements(at(server, node), `drop database ${name} with (force)`)
      }
    },
  }
}
