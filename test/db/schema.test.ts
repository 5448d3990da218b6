import { randomBytes } from 'node:crypto'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { getTableName } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import * as schema from '../../src/db/schema.ts'
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts'
import { databaseUrl, runStatements } from '../helpers/maintenance.ts'
import { catalogOf } from './catalogOf.ts'

const tables = Object.values(schema)
const declared = `declared_${randomBytes(4).toString('hex')}`
let migrated: TestDatabase
let client: pg.Client
/** What PostgreSQL says of tables made from `schema.ts` alone, without any migration. */
let wanted: string[]

async function connected<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const connection = new pg.Client({ connectionString: url })
  await connection.connect()
  return use(connection).finally(() => connection.end())
}

beforeAll(async () => {
  const server = inject('postgresUrl')
  const url = databaseUrl(server, declared)
  await runStatements(server, `create database ${declared}`)
  const statements = await generateMigration(generateDrizzleJson({}), generateDrizzleJson(schema))
  await runStatements(url, 'create extension btree_gist', ...statements)
  wanted = await connected(url, (fresh) => catalogOf(fresh))
  migrated = await createTestDatabase()
  client = new pg.Client({ connectionString: migrated.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await migrated.drop()
  await runStatements(inject('postgresUrl'), `drop database ${declared} with (force)`)
})

describe('the migrated database', () => {
  it('is what schema.ts declares: every column, key, check and index, and nothing else', async () => {
    expect(await catalogOf(client)).toEqual(wanted)
  })

  it('has each table of schema.ts, with as many foreign keys, unique keys and checks', () => {
    for (const table of tables) {
      const { name, columns, foreignKeys, uniqueConstraints, checks } = getTableConfig(table)
      const of = (pattern: RegExp) =>
        wanted.filter((fact) => fact.startsWith(`${name} `) && pattern.test(fact)).length
      expect([name, of(/ column /), of(/ FOREIGN KEY /), of(/ CHECK /), of(/ UNIQUE \(/)]).toEqual([
        getTableName(table),
        columns.length,
        foreignKeys.length,
        checks.length,
        uniqueConstraints.length + columns.filter(({ isUnique }) => isUnique).length,
      ])
    }
  })

  it.each([
    ['a table', 'drop table idempotency_records'],
    ['a column', 'alter table quotes drop column session_id'],
    ['a column too many', 'alter table quotes add column note text'],
    ['a type', 'alter table quotes alter column total_minor type integer'],
    ['a precision', 'alter table quotes alter column expires_at type timestamptz'],
    ['a NOT NULL', 'alter table bookings alter column quote_id drop not null'],
    ['a default', 'alter table bookings alter column status drop default'],
    ['a primary key', 'alter table booking_events drop constraint booking_events_tenant_id_id_pk'],
    ["a quote's one booking", 'alter table bookings drop constraint bookings_quote_unique'],
    [
      'a column of a unique key',
      `alter table bookings drop constraint bookings_quote_unique,
         add constraint bookings_quote_unique unique (quote_id, tenant_id, created_at)`,
    ],
    [
      'a foreign key',
      'alter table bookings drop constraint bookings_tenant_id_quote_id_quotes_tenant_id_id_fk',
    ],
    [
      'the tenant in a foreign key',
      `alter table api_key_secrets drop constraint api_key_secrets_key_fk,
         add constraint api_key_secrets_key_fk foreign key (tenant_id) references tenants`,
    ],
    [
      'what becomes of rows that refer to a deleted one',
      `alter table api_key_secrets drop constraint api_key_secrets_key_fk,
         add constraint api_key_secrets_key_fk foreign key (tenant_id, api_key_id)
           references api_key_identities (tenant_id, id) on delete cascade`,
    ],
    ['a check', 'alter table bookings drop constraint bookings_status_check'],
    [
      'a check of old rows',
      `alter table bookings drop constraint bookings_period_check,
         add constraint bookings_period_check check (pickup_at < dropoff_at) not valid`,
    ],
    ['an index', 'drop index booking_events_created_idx'],
    [
      'the condition of an index',
      `drop index quotes_unused_idx; create index quotes_unused_idx on quotes (expires_at)`,
    ],
    [
      'the method of an index',
      `drop index booking_events_created_idx;
       create index booking_events_created_idx on booking_events using gist (created_at)`,
    ],
  ])('would be caught without it: %s', async (_, change) => {
    await client.query('begin')
    try {
      await client.query(change)
      expect(await catalogOf(client)).not.toEqual(wanted)
    } finally {
      await client.query('rollback')
    }
  })
})
