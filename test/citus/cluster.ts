import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { runStatements } from '../helpers/maintenance.ts'

interface NodeUrls {
  readonly coordinator: string
  readonly workers: readonly string[]
}

/** A private, empty database on a Citus cluster, with a URL for each role. */
export interface ClusterDatabase {
  /** The role that owns the database and is not a superuser. */
  readonly owner: string
  /** A role that may only read and write rows. */
  readonly api: NodeUrls
  readonly admin: NodeUrls
  drop(): Promise<void>
}

/** Returns `CITUS_URL`: a superuser's URL of a coordinator with its workers added. */
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
  // If the server ends, the query fails too.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

function at(url: string, { host, port }: Node, database?: string, user?: string): string {
  const node = new URL(url)
  node.hostname = host
  node.port = String(port)
  if (database !== undefined) node.pathname = `/${database}`
  if (user !== undefined) node.username = user
  return node.href
}

async function nodesOf(server: string) {
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
  return { main, others, everywhere: [main, ...others] }
}

/** The privileges that docker/postgres/roles.sql grants in an empty database. */
const rights = (owner: string, api: string) => [
  `create schema drizzle authorization ${owner}`,
  `grant usage on schema drizzle to ${api}`,
  `alter default privileges for role ${owner} in schema drizzle grant select on tables to ${api}`,
  `alter default privileges for role ${owner} in schema public
     grant select, insert, update, delete on tables to ${api}`,
]

/** Creates a database. Its roles have the superuser's password, with which the nodes connect. */
export async function createClusterDatabase(): Promise<ClusterDatabase> {
  const server = clusterUrl()
  const { main, others, everywhere } = await nodesOf(server)
  const name = `citus_${randomBytes(6).toString('hex')}`
  const password = pg.escapeLiteral(decodeURIComponent(new URL(server).password))
  const api = `${name}_api`
  // Citus also creates the roles on the workers.
  for (const role of [name, api]) {
    await runStatements(server, `create role ${role} login password ${password}`)
  }
  for (const node of everywhere) {
    await runStatements(at(server, node), `create database ${name} owner ${name}`)
    await runStatements(at(server, node, name), 'create extension citus')
  }
  const add = ({ host, port }: Node, how: string) => `select ${how}('${host}', ${port})`
  await runStatements(
    at(server, main, name),
    add(main, 'citus_set_coordinator_host'),
    ...others.map((node) => add(node, 'citus_add_node')),
    ...rights(name, api),
  )
  const urls = (user?: string): NodeUrls => ({
    coordinator: at(server, main, name, user),
    workers: others.map((node) => at(server, node, name, user)),
  })
  return {
    owner: urls(name).coordinator,
    api: urls(api),
    admin: urls(),
    async drop() {
      for (const node of everywhere) {
        await runStatements(at(server, node), `drop database ${name} with (force)`)
      }
      await runStatements(server, `drop role ${name}, ${api}`)
    },
  }
}
