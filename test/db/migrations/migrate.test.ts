import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { migrate, planMigration } from '../../../src/db/migrations/migrate.ts'
import * as schema from '../../../src/db/schema/index.ts'
import { commandLineOn } from '../../cli/commandLine.ts'
import { createTestDatabase } from '../../helpers/database.ts'
import { databaseUrl, runStatements } from '../../helpers/maintenance.ts'

const name = `migrate_${randomBytes(4).toString('hex')}`
let url: string

beforeAll(async () => {
  await runStatements(inject('postgresUrl'), `CREATE DATABASE ${name}`)
  url = databaseUrl(inject('postgresUrl'), name)
})
afterAll(() => runStatements(inject('postgresUrl'), `DROP DATABASE ${name} WITH (FORCE)`))

describe('migrate', () => {
  it('plans pending migrations without applying them', async () => {
    const empty = `migrate_${randomBytes(4).toString('hex')}`
    await runStatements(inject('postgresUrl'), `CREATE DATABASE ${empty}`)
    const emptyUrl = databaseUrl(inject('postgresUrl'), empty)
    const planned = await planMigration(emptyUrl)
    expect(planned.slice(0, 2)).toEqual(['0000_extensions', '0001_schema'])
    expect(await commandLineOn(emptyUrl)(['migrate', '--dry-run', '--json'])).toEqual({
      exitCode: 0,
      out: `${JSON.stringify({ applied: 0, dryRun: true, migrations: planned }, null, 2)}\n`,
      error: '',
    })
    const { out } = await commandLineOn(emptyUrl)(['migrate', '--dry-run'])
    expect(out).toContain(`Would apply ${planned.length} migrations:\n  0000_extensions\n`)
    expect(await planMigration(emptyUrl)).toEqual(planned)
    expect(await migrate(emptyUrl)).toEqual(planned)
    expect(await planMigration(emptyUrl)).toEqual([])
    await runStatements(inject('postgresUrl'), `DROP DATABASE ${empty} WITH (FORCE)`)
  })

  it('applies each migration once when five processes start together', async () => {
    const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(url)))
    const [most = [], ...others] = applied.sort((a, b) => b.length - a.length)
    expect(most).toContain('redeem_quote')
    expect(others).toEqual([[], [], [], []])
    expect(await migrate(url)).toEqual([])
  })

  it('reapplies a definition when its recorded hash is missing', async () => {
    const { url, drop } = await createTestDatabase()
    await runStatements(
      url,
      'alter view catalogs rename to former_catalogs',
      'delete from drizzle.__drizzle_migrations where created_at = 0',
    )
    expect(await migrate(url)).toEqual(expect.arrayContaining(['redeem_quote', 'store_quotes']))
    expect(await planMigration(url)).toEqual([])
    await drop()
  })

  it('keeps definitions of a newer release', async () => {
    const { url, drop } = await createTestDatabase()
    await runStatements(
      url,
      'alter function redeem_quote rename to redeem_quote_of_the_newer_release',
      "insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 0)",
    )
    expect(await migrate(url)).toEqual([])
    await drop()
  })

  it('rejects a database of an unpublished version without changing it', async () => {
    const { url, drop } = await createTestDatabase()
    await runStatements(
      url,
      "update drizzle.__drizzle_migrations set hash = 'of 0.2', created_at = 1 where created_at > 0",
      'create table kept (n int)',
    )
    for (const migrating of [planMigration, migrate]) {
      await expect(migrating(url)).rejects.toThrow('never published')
    }
    await runStatements(url, 'drop table kept')
    await drop()
  })

  it('generates no migration when the last snapshot matches the schema', async () => {
    const folder = new URL('../../../migrations/meta/', import.meta.url)
    const last = readdirSync(folder)
      .filter((file) => file.endsWith('_snapshot.json'))
      .sort()
      .at(-1)
    const snapshot = JSON.parse(readFileSync(new URL(last ?? '', folder), 'utf8'))
    expect(await generateMigration(snapshot, generateDrizzleJson(schema))).toEqual([])
  })
})
