import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { hasErrorCode } from '../../src/domain/hasErrorCode.ts'
import type { SeededCaller } from './seed.ts'

const seconds = 4
/** More than any machine redeems meanwhile. */
const quotesMax = 100_000

/** The id of a client's n-th quote; `clients` keeps runs apart. */
const numberedQuote = (clients: number, client: string, n: string) =>
  `('${clients.toString(16).padStart(8, '0')}-0000-4000-8' || lpad(to_hex(${client}), 3, '0') || '-'
    || lpad(to_hex(${n}), 12, '0'))::uuid`

/** Each client has its own quotes, and takes the next one at each call. */
const script = (clients: number) => `
\\set n :n + 1
select outcome from redeem_quote(:tenant::uuid, :key::uuid, null, 'pgbench-${clients}-' || :client_id::int || '-' || :n::int,
  '\\x00', ${numberedQuote(clients, ':client_id::int', ':n::int').replace(/\n\s*/g, ' ')},
  'Kari', 'Nordmann', 'kari@example.com', '+47 12 34 56 78', 'Oslo S', 'Oslo airport', 'At 09:40.');
`

/**
 * Redemptions a second by PostgreSQL's own load generator, without any server of ours in between;
 * undefined where it isn't installed.
 */
export async function pgbench(
  databaseUrl: string,
  caller: SeededCaller,
  clients: number,
): Promise<number | undefined> {
  const directory = await mkdtemp(join(tmpdir(), 'rental-pgbench-'))
  try {
    await writeFile(join(directory, 'redeem.sql'), script(clients))
    await insertNumberedQuotes(databaseUrl, caller, clients)
    const { stdout } = await promisify(execFile)('pgbench', [
      ...['-n', '-M', 'prepared', '-f', join(directory, 'redeem.sql')],
      ...['-c', String(clients), '-j', '1', '-T', String(seconds)],
      ...['-D', 'n=0', '-D', `tenant=${caller.tenantId}`, '-D', `key=${caller.keyId}`],
      databaseUrl,
    ])
    return Number(/tps = ([\d.]+) \(without/.exec(stdout)?.[1])
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function insertNumberedQuotes(
  databaseUrl: string,
  { tenantId, keyId, groupId }: SeededCaller,
  clients: number,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(
    `insert into quotes (tenant_id, id, api_key_id, asset_group_id, pickup_at, dropoff_at,
       total_minor, currency, inputs, breakdown, expires_at)
     select $1, ${numberedQuote(clients, 'c', 'n')}, $2, $3, now() + interval '10 days',
       now() + interval '13 days', 187125, 'NOK', '{}', '{}', now() + interval '1 hour'
     from generate_series(0, $4::int - 1) c, generate_series(1, $5::int) n`,
    [tenantId, keyId, groupId, clients, Math.ceil(quotesMax / clients)],
  )
  await client.end()
}
