import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { migrateDatabase, planMigration } from '../../../src/db/migrations/migrate.ts'
import type { MigrationPlan } from '../../../src/db/migrations/pendingMigrations.ts'
import { isNewer, readRelease } from '../../../src/db/migrations/release.ts'
import * as schema from '../../../src/db/schema/index.ts'
import { commandLineOn } from '../../cli/commandLine.ts'
import { createDatabase, createTestDatabase } from '../../helpers/database.ts'
import { rowsOf, runStatements } from '../../helpers/maintenance.ts'
import { withDefinition } from '../../helpers/migrations.ts'

const server = inject('postgresUrl')

/** Creates an empty database, which is dropped after the test. */
async function emptyDatabase(options = ''): Promise<string> {
  const { url, drop } = await createDatabase(options)
  onTestFinished(drop)
  return url
}

/** Creates a migrated database, which is dropped after the test. */
async function migratedDatabase(): Promise<string> {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  return url
}

const tagsOf = ({ pending }: MigrationPlan) => pending.map(({ tag }) => tag)

describe('migrateDatabase', () => {
  it('plans pending migrations without applying them', async () => {
    const url = await emptyDatabase()
    const planned = await planMigration(url)
    const migrations = tagsOf(planned)
    expect(migrations[0]).toBe('0000_schema')
    expect(await commandLineOn(url)(['migrate', '--dry-run', '--json'])).toEqual({
      exitCode: 0,
      out: `${JSON.stringify({ applied: 0, dryRun: true, migrations, kept: [] }, null, 2)}\n`,
      error: '',
    })
    const { out } = await commandLineOn(url)(['migrate', '--dry-run'])
    expect(out).toContain(`Would apply ${migrations.length} migrations:\n  0000_schema\n`)
    expect(await planMigration(url)).toEqual(planned)
    expect(await migrateDatabase(url)).toEqual(planned)
    expect(tagsOf(await planMigration(url))).toEqual([])
  })

  it('applies each migration once when five processes start together', async () => {
    const url = await emptyDatabase()
    const plans = await Promise.all(Array.from({ length: 5 }, () => migrateDatabase(url)))
    const [most = [], ...others] = plans.map(tagsOf).sort((a, b) => b.length - a.length)
    expect(most).toContain('redeem_quote')
    expect(others).toEqual([[], [], [], []])
  })

  it('rejects a database of an unpublished version without changing it', async () => {
    const url = await migratedDatabase()
    await runStatements(url, 'alter table drizzle.__drizzle_migrations drop column release')
    for (const migrating of [planMigration, migrateDatabase]) {
      await expect(migrating(url)).rejects.toThrow('never published')
    }
  })

  it.each(['SQL_ASCII', 'LATIN1'])('rejects the encoding %s without changes', async (encoding) => {
    const url = await emptyDatabase(`encoding '${encoding}' locale 'C' template template0`)
    for (const migrating of [planMigration, migrateDatabase]) {
      await expect(migrating(url)).rejects.toThrow(`The database's encoding is ${encoding}`)
    }
    expect(await rowsOf(url, `select from pg_namespace where nspname = 'drizzle'`)).toEqual([])
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

/** A change of each kind of definition; the older text must replace the newer one. */
const changes: Readonly<Record<string, (sql: string) => string>> = {
  redeem_quote: (sql) => sql.replace('replayed := false;', 'replayed := false; -- changed'),
  catalogs: (sql) => sql.replace('\nFROM tenants', ', t.slug\nFROM tenants'),
  raise_version_of_catalog: (sql) => sql.replace('v.version + 1', 'v.version + 2'),
}
const texts = `select proname, prosrc as text from pg_proc where pronamespace = 'public'::regnamespace
  and proname in ('redeem_quote', 'raise_version_of_catalog')
  union all select viewname, definition from pg_views where viewname = 'catalogs' order by 1`

describe.each(Object.keys(changes))('the definition %s', (tag) => {
  const { version } = readRelease()
  const changed = (release: string) => withDefinition(release, tag, changes[tag] ?? String)

  it('is applied again when its former text is put back', async () => {
    const url = await migratedDatabase()
    const before = await rowsOf(url, texts)
    expect(tagsOf(await migrateDatabase(url, { release: changed(version) }))).toEqual([tag])
    expect(await rowsOf(url, texts)).not.toEqual(before)
    expect(tagsOf(await planMigration(url))).toEqual([tag])
    expect(tagsOf(await migrateDatabase(url))).toEqual([tag])
    expect(await rowsOf(url, texts)).toEqual(before)
    expect(tagsOf(await migrateDatabase(url))).toEqual([])
  })

  it('of a newer release is kept until migrate --back puts the older text back', async () => {
    const url = await migratedDatabase()
    const before = await rowsOf(url, texts)
    await migrateDatabase(url, { release: changed('1.10.0') })
    const newer = await rowsOf(url, texts)
    const rental = commandLineOn(url)
    for (const more of [['--dry-run'], []]) {
      const { exitCode, out } = await rental(['migrate', ...more])
      expect({ exitCode, out }).toEqual({
        exitCode: 0,
        out: expect.stringMatching(
          new RegExp(`^Release 1.10.0 has migrated this database, .*:\n  ${tag}\n.*--back`),
        ),
      })
    }
    const { out } = await rental(['migrate', '--json'])
    expect(JSON.parse(out)).toEqual({ applied: 0, dryRun: false, migrations: [], kept: [tag] })
    expect(await rowsOf(url, texts)).toEqual(newer)
    const planned = JSON.parse((await rental(['migrate', '--back', '--dry-run', '--json'])).out)
    expect(planned).toEqual({ applied: 0, dryRun: true, migrations: [tag], kept: [] })
    expect((await rental(['migrate', '--back'])).out).toBe(`Applied 1 migration:\n  ${tag}\n`)
    expect(await rowsOf(url, texts)).toEqual(before)
    expect((await rental(['migrate'])).out).toBe('The database is up to date.\n')
    expect(tagsOf(await migrateDatabase(url, { release: changed('1.10.0') }))).toEqual([tag])
  })
})

it.each(['drop function store_quotes', 'drop view catalogs'])(
  'applies the definitions again after a %s',
  async (statement) => {
    const url = await migratedDatabase()
    await runStatements(url, statement)
    const tags = readRelease().definitions.map(({ tag }) => tag)
    expect(tagsOf(await migrateDatabase(url))).toEqual(tags)
    expect(tagsOf(await migrateDatabase(url))).toEqual([])
  },
)

it('keeps the grants on a view whose text changes', async () => {
  const url = await migratedDatabase()
  const role = `reader_${randomBytes(4).toString('hex')}`
  await runStatements(url, `create role ${role}; grant select on catalogs to ${role}`)
  onTestFinished(() => runStatements(server, `drop role ${role}`))
  await migrateDatabase(url, {
    release: withDefinition('1.10.0', 'catalogs', changes['catalogs'] ?? String),
  })
  const may = `select has_table_privilege('${role}', 'catalogs', 'select') as may`
  expect(await rowsOf(url, may)).toEqual([{ may: true }])
  await runStatements(url, `drop owned by ${role}`)
})

it.each([
  ['1.10.0', '1.9.9', true],
  ['1.9.9', '1.10.0', false],
  ['1.0.0', '1.0.0', false],
  ['1.1.0', '1.1.0-rc.1', true],
  ['1.1.0-rc.1', '1.1.0', false],
  ['1.1.0-rc.10', '1.1.0-rc.9', true],
  ['1.1.0-rc.1', '1.0.9', true],
  ['1.1.0+build.2', '1.1.0', false],
])('version %s counts as newer than %s: %s', (a, b, newer) => {
  expect(isNewer(a, b)).toBe(newer)
})
