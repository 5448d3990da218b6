import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { expect, it, onTestFinished } from 'vitest'
import { migrateDatabase } from '../../../src/db/migrations/migrate.ts'
import * as schema from '../../../src/db/schema/index.ts'
import { contractingStatements } from '../../guards/migrations.ts'
import { createDatabase, createTestDatabase } from '../../helpers/database.ts'
import { runStatements, withClient } from '../../helpers/maintenance.ts'
import { withMigration } from '../../helpers/migrations.ts'
import { catalogOf } from '../queries/catalog/catalogOf.ts'

it('the migrations create exactly the columns, keys, checks and indexes that the schema declares', async () => {
  const { url, drop } = await createDatabase('')
  onTestFinished(drop)
  const statements = await generateMigration(generateDrizzleJson({}), generateDrizzleJson(schema))
  await runStatements(url, ...statements)
  const migrated = await createTestDatabase()
  onTestFinished(migrated.drop)
  expect(await withClient(migrated.url, catalogOf)).toEqual(await withClient(url, catalogOf))
})

it('a CHECK that one migration adds NOT VALID and the next validates is like a declared one', async () => {
  const [declared, migrated] = [await createTestDatabase(), await createTestDatabase()]
  onTestFinished(() => Promise.all([declared.drop(), migrated.drop()]).then())
  const added = 'ALTER TABLE "quotes" ADD CONSTRAINT "quotes_most_check" CHECK (total_minor < 1e15)'
  await runStatements(declared.url, added)
  const steps = [
    `${added} NOT VALID`,
    'ALTER TABLE "quotes" VALIDATE CONSTRAINT "quotes_most_check"',
  ]
  expect(steps.flatMap(contractingStatements)).toEqual([])
  const [first] = steps
  await migrateDatabase(migrated.url, { release: withMigration(first ?? '') })
  const expected = await withClient(declared.url, catalogOf)
  expect(await withClient(migrated.url, catalogOf)).not.toEqual(expected)
  await migrateDatabase(migrated.url, { release: withMigration(...steps) })
  expect(await withClient(migrated.url, catalogOf)).toEqual(expected)
})
