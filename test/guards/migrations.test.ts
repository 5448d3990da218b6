import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contractingStatements, mixesTransactions } from './migrations.ts'

const directory = join(import.meta.dirname, '../../migrations')
const read = (name: string) => readFileSync(join(directory, name), 'utf8')
const files = readdirSync(directory).filter((name) => name.endsWith('.sql'))

/** What was released, to the byte. A release adds its own; none is ever changed or removed. */
const released: Readonly<Record<string, string>> = {
  '0000_extensions.sql': 'c67a299c6a68dee6',
  '0001_schema.sql': 'e056724ca7955e0e',
  '0002_redeem_quote.sql': '112120440b04ad4d',
  '0003_access_changed.sql': '951bc86b7c6c8298',
  '0004_quotes_unused_index.sql': '1ed1638e739ee797',
  '0005_catalog_version.sql': '64e75b69db2297c1',
  '0006_booking_events_created_index.sql': 'f55891b536ca7961',
  '0007_redeem_quote_by_key.sql': '9dddf375aeae3864',
  '0008_tenant_terms.sql': 'e85120e20fb43e6e',
  '0009_api_key_secrets.sql': 'b7f2d0e23b84e83a',
  '0010_time_zone_announced.sql': 'd4cb3654b8805fd7',
  '0011_booking_quote_key.sql': '6588ccc7be034b95',
  '0012_look_ups_by_key.sql': '0d635664a9433235',
  '0013_staff_tools.sql': 'c74e0c73a660823f',
  '0014_booking_feed.sql': '5d04bba966cf5245',
  '0015_distribution.sql': '8b120560be7684d8',
  '0016_erased_requests.sql': '3f30208afac2c4d2',
  '0017_versions_by_time.sql': '2fd77ddae3f681db',
}

describe('migrations', () => {
  it('are appended, never changed', () => {
    const hashOf = (name: string) =>
      createHash('sha256').update(read(name)).digest('hex').slice(0, 16)
    const names = Object.keys(released)
    expect(Object.fromEntries(names.map((name) => [name, hashOf(name)]))).toEqual(released)
  })

  it('are listed in the order of their making: the migrator skips what is older than the last', () => {
    const journal: { entries: { tag: string; when: number }[] } = JSON.parse(
      read('meta/_journal.json'),
    )
    const { entries } = journal
    expect(entries.map(({ tag }) => `${tag}.sql`)).toEqual(files)
    expect(entries.toSorted((a, b) => a.when - b.when)).toEqual(entries)
  })

  // Released before indexes were built while others write.
  const indexedWriters = ['0004_quotes_unused_index.sql', '0006_booking_events_created_index.sql']
  it.each(files.filter((name) => !indexedWriters.includes(name)))(
    '%s leaves a schema that the release before can run on',
    (name) => {
      expect(contractingStatements(read(name))).toEqual([])
    },
  )

  it.each(files)(
    '%s is outside a transaction if it builds indexes concurrently, and only then',
    (name) => {
      expect(mixesTransactions(read(name))).toBe(false)
    },
  )
})

describe('the check', () => {
  it.each([
    'ALTER TABLE "quotes" DROP COLUMN "inputs";',
    'ALTER TABLE "quotes" ADD COLUMN "channel" text NOT NULL;',
    'ALTER TABLE "quotes" ALTER COLUMN "currency" SET NOT NULL;',
    'ALTER TABLE "quotes" ALTER COLUMN "currency" SET DATA TYPE varchar(3);',
    'ALTER TABLE "quotes" RENAME COLUMN "inputs" TO "input";',
    'ALTER TABLE "quotes" ADD CONSTRAINT "c" CHECK (total_minor > 0);',
    'DROP FUNCTION redeem_quote;',
    'CREATE INDEX "i" ON "quotes" ("expires_at");',
    'CREATE INDEX CONCURRENTLY "i" ON "quotes" ("expires_at");',
    'DROP TRIGGER t ON quotes;',
    'DELETE FROM quotes;',
    'CREATE TABLE "new" ("id" uuid);\n--> statement-breakpoint\nDROP TABLE "quotes";',
  ])('finds %s', (sql) => {
    expect(contractingStatements(sql)).toHaveLength(1)
  })

  it.each([
    'ALTER TABLE "quotes" ADD COLUMN "channel" text;',
    'ALTER TABLE "quotes" ADD COLUMN "channel" text DEFAULT \'server\' NOT NULL;',
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS "i" ON "quotes" ("expires_at");',
    'CREATE TABLE "new" ("id" uuid);\n--> statement-breakpoint\nCREATE INDEX "i" ON "new" ("id");',
    'ALTER TABLE "quotes" ADD CONSTRAINT "c" CHECK (total_minor > 0) NOT VALID;',
    'CREATE TABLE "new" ("id" uuid);\nALTER TABLE "new" ADD CONSTRAINT "c" CHECK (true);',
    '-- contract: no release since 2.0 reads it\nALTER TABLE "quotes" DROP COLUMN "inputs";',
    '-- DROP TABLE quotes\nSELECT 1;',
    'DROP TRIGGER t ON quotes;\nCREATE TRIGGER t AFTER INSERT ON quotes EXECUTE FUNCTION f();',
  ])('lets pass %s', (sql) => {
    expect(contractingStatements(sql)).toEqual([])
  })

  it.each([
    ['create index concurrently if not exists "i" on quotes (id)', true],
    ['-- outside a transaction\nalter table quotes add column "c" text', true],
    ['-- outside a transaction\ncreate index concurrently if not exists "i" on quotes (id)', false],
    [
      '-- outside a transaction\ncreate unique index concurrently if not exists "i" on a (b);\n--> statement-breakpoint\ncreate index concurrently if not exists "j" on a (c)',
      false,
    ],
    [
      '-- outside a transaction\ncreate index concurrently if not exists "i" on a (b); create index concurrently if not exists "j" on a (c)',
      true,
    ],
    ['alter table quotes add column "c" text', false],
  ])('of transactions knows %s', (sql, mixed) => {
    expect(mixesTransactions(sql)).toBe(mixed)
  })
})
