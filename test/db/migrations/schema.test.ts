import { randomBytes } from 'node:crypto'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { expect, inject, it, onTestFinished } from 'vitest'
import * as schema from '../../../src/db/schema/index.ts'
import { createTestDatabase } from '../../helpers/database.ts'
import { databaseUrl, runStatements, withClient } from '../../helpers/maintenance.ts'
import { catalogOf } from '../queries/catalog/catalogOf.ts'

it('the migrations create exactly the columns, keys, checks and indexes that the schema declares', async () => {
  const [server, declared] = [inject('postgresUrl'), `declared_${randomBytes(4).toString('hex')}`]
  await runStatements(server, `create database ${declared}`)
  onTestFinished(() => runStatements(server, `drop database ${declared} with (force)`))
  const url = databaseUrl(server, declared)
  const statements = await generateMigration(generateDrizzleJson({}), generateDrizzleJson(schema))
  await runStatements(url, ...statements)
  const migrated = await createTestDatabase()
  onTestFinished(migrated.drop)
  expect(await withClient(migrated.url, catalogOf)).toEqual(await withClient(url, catalogOf))
})
