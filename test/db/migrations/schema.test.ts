import { randomBytes } from 'node:crypto'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { getTableName } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import * as schema from '../../../src/db/schema/index.ts'
import { createTestDatabase, type TestDatabase } from '../../helpers/database.ts'
import { databaseUrl, runStatements } from '../../helpers/maintenance.ts'
import { catalogOf } from '../queries/catalog/catalogOf.ts'

const tables = Object.values(schema)
const declared = `declared_${randomBytes(4).toString('hex')}`
let migrated: TestDatabase
let client: pg.Client
/** Catalog facts of a database created from `schema.ts` alone, without migrations. */
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
  await runStatements(url, ...statements)
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
  it('creates exactly the columns, keys, checks and indexes that schema.ts declares', async () => {
    expect(await catalogOf(client)).toEqual(wanted)
  })

  it('creates as many columns, foreign keys, unique keys and checks as each table of schema.ts has', () => {
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
})
