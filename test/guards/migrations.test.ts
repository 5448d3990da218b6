import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contractingStatements } from './migrations.ts'

const directory = join(import.meta.dirname, '../../migrations')
const read = (name: string) => readFileSync(join(directory, name), 'utf8')
const files = readdirSync(directory).filter((name) => name.endsWith('.sql'))

/** Hashes of released migrations. A release adds its own and never changes or removes one. */
const released: Readonly<Record<string, string>> = {
  '0000_schema.sql': '7873bf78a3e96ad2',
}

describe('migrations', () => {
  it('keeps released migrations unchanged', () => {
    const hashOf = (name: string) =>
      createHash('sha256').update(read(name)).digest('hex').slice(0, 16)
    const names = Object.keys(released)
    expect(Object.fromEntries(names.map((name) => [name, hashOf(name)]))).toEqual(released)
  })

  it('lists migrations in order of creation', () => {
    const journal: { entries: { tag: string; when: number }[] } = JSON.parse(
      read('meta/_journal.json'),
    )
    const { entries } = journal
    expect(entries.map(({ tag }) => `${tag}.sql`)).toEqual(files)
    expect(entries.toSorted((a, b) => a.when - b.when)).toEqual(entries)
  })

  it.each(files.filter((name) => !(name in released)))(
    '%s keeps the schema compatible with the previous release',
    (name) => {
      expect(contractingStatements(read(name))).toEqual([])
    },
  )
})

describe('contractingStatements', () => {
  it.each([
    'ALTER TABLE "quotes" DROP COLUMN "inputs";',
    'ALTER TABLE "quotes" ADD COLUMN "channel" text NOT NULL;',
    'ALTER TABLE "quotes" ALTER COLUMN "currency" SET NOT NULL;',
    'ALTER TABLE "quotes" ALTER COLUMN "currency" SET DATA TYPE varchar(3);',
    'ALTER TABLE "quotes" RENAME COLUMN "inputs" TO "input";',
    'ALTER TABLE "quotes" ADD CONSTRAINT "c" CHECK (total_minor > 0);',
    'DROP FUNCTION redeem_quote;',
    'CREATE INDEX "i" ON "quotes" ("expires_at");',
    'DROP TRIGGER t ON quotes;',
    'DELETE FROM quotes;',
    'CREATE TABLE "new" ("id" uuid);\n--> statement-breakpoint\nDROP TABLE "quotes";',
  ])('reports %s', (sql) => {
    expect(contractingStatements(sql)).toHaveLength(1)
  })

  it.each([
    'ALTER TABLE "quotes" ADD COLUMN "channel" text;',
    'ALTER TABLE "quotes" ADD COLUMN "channel" text DEFAULT \'server\' NOT NULL;',
    'CREATE INDEX IF NOT EXISTS "i" ON "quotes" ("expires_at");',
    'CREATE TABLE "new" ("id" uuid);\n--> statement-breakpoint\nCREATE INDEX "i" ON "new" ("id");',
    'ALTER TABLE "quotes" ADD CONSTRAINT "c" CHECK (total_minor > 0) NOT VALID;',
    'CREATE TABLE "new" ("id" uuid);\nALTER TABLE "new" ADD CONSTRAINT "c" CHECK (true);',
    '-- contract: no release since 2.0 reads it\nALTER TABLE "quotes" DROP COLUMN "inputs";',
    '-- DROP TABLE quotes\nSELECT 1;',
    'DROP TRIGGER t ON quotes;\nCREATE TRIGGER t AFTER INSERT ON quotes EXECUTE FUNCTION f();',
  ])('accepts %s', (sql) => {
    expect(contractingStatements(sql)).toEqual([])
  })
})
