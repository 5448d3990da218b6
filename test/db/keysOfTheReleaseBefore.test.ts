import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { hashApiKey } from '../../src/auth/apiKeys.ts'
import { closeDatabase, type Database, openDatabase } from '../../src/db/client.ts'
import { findKey } from '../../src/db/keys.ts'
import { migrate } from '../../src/db/migrate.ts'
import { migrationsFolder } from '../../src/db/pendingMigrations.ts'
import { keyProblem } from '../../src/domain/access.ts'
import { revokeApiKey, rotateApiKey } from '../../src/services/apiKeys.ts'
import { databaseUrl, runStatements } from '../helpers/maintenance.ts'

const name = `before_${randomUUID().slice(0, 8)}`
const hourSeconds = 3_600
const tenantId = randomUUID()
let url: string
let database: Database
/** A connection of the release before, with the statement it prepared on the schema of old. */
let replicaOfOld: pg.Client

beforeAll(async () => {
  url = databaseUrl(inject('postgresUrl'), name)
  await runStatements(inject('postgresUrl'), `CREATE DATABASE ${name}`)
  await migrateUpTo('0007_redeem_quote_by_key')
  replicaOfOld = new pg.Client({ connectionString: url })
  await replicaOfOld.connect()
  await replicaOfOld.query(
    `insert into tenants (id, slug, name, timezone, currency, tax_percent, prices_include_tax,
       grace_period_minutes)
     values ($1, 'north', 'North', 'Europe/Oslo', 'NOK', 25, false, 29)`,
    [tenantId],
  )
})
afterAll(async () => {
  await replicaOfOld.end()
  await closeDatabase(database)
  await runStatements(inject('postgresUrl'), `DROP DATABASE ${name} WITH (FORCE)`)
})

/** Applies the first migrations only: what a database of an older release has. */
async function migrateUpTo(last: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  await cp(migrationsFolder, folder, { recursive: true })
  const journalFile = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(await readFile(journalFile, 'utf8'))
  const end = journal.entries.findIndex(({ tag }: { tag: string }) => tag === last) + 1
  await writeFile(
    journalFile,
    JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }),
  )
  await migrate(url, { folder })
  await rm(folder, { recursive: true })
}

/** As release 0.1 makes a key: the values of its insert, column by column. */
async function createdByOld(secret: string): Promise<string> {
  const { rows } = await replicaOfOld.query<{ id: string }>(
    `insert into "api_keys" ("tenant_id", "id", "name", "key_hash", "prefix", "last4", "scopes",
       "origins", "limits", "expires_at", "revoked_at", "created_at")
     values ($1, default, 'site', $2, $3, $4, '{rates:read}', '{}', '{"reads": 9}', default, default, default)
     returning "id"`,
    [tenantId, hashApiKey(secret), secret.slice(0, 4), secret.slice(-4)],
  )
  return rows[0]?.id ?? ''
}

/** As release 0.1 looks a key up. */
async function foundByOld(secret: string) {
  const { rows } = await replicaOfOld.query({
    name: 'caller_by_hash',
    text: `select "api_keys"."id", "api_keys"."scopes", "api_keys"."origins", "api_keys"."limits",
        "api_keys"."expires_at", "api_keys"."revoked_at", now(), "tenants"."id" as "tenantId"
      from "api_keys" inner join "tenants" on "tenants"."id" = "api_keys"."tenant_id"
      where "api_keys"."key_hash" = $1`,
    values: [hashApiKey(secret)],
  })
  return rows[0]
}

const refusalByNew = async (secret: string) => {
  const found = await findKey(database, hashApiKey(secret))
  return found === undefined ? 'API_KEY_INVALID' : keyProblem(found.key, new Date())
}

describe('a replica of the release before, on the schema of this one', () => {
  const older = randomUUID()
  let id: string
  let before: object | undefined

  beforeAll(async () => {
    id = await createdByOld(older)
    before = await foundByOld(older)
    await migrate(url)
    database = openDatabase({ url, poolMax: 2, preparedStatements: true, onConnectionLost() {} })
  })

  it('goes on with the keys that were there, and so does this release', async () => {
    expect(await foundByOld(older)).toEqual({ ...before, now: expect.any(Date) })
    const found = await findKey(database, hashApiKey(older))
    expect(found?.key).toMatchObject({ id, scopes: ['rates:read'], limits: { reads: 9 } })
  })

  it('knows both secrets of a rotated key as that key, and the end of the old one', async () => {
    const secret = randomUUID()
    const made = await createdByOld(secret)
    const { key, replaced } = await rotateApiKey(database, made, hourSeconds, new Date())
    expect(await foundByOld(secret)).toMatchObject({ id: made, revoked_at: replaced[0]?.endsAt })
    expect(await foundByOld(key)).toMatchObject({ id: made, revoked_at: null })
    await revokeApiKey(database, made)
    expect((await foundByOld(key)).revoked_at).toBeInstanceOf(Date)
  })

  it('and this release know the keys that the other one makes, changes and revokes', async () => {
    const secret = randomUUID()
    const made = await createdByOld(secret)
    expect(await refusalByNew(secret)).toBeUndefined()
    const { key } = await rotateApiKey(database, made, hourSeconds, new Date())
    await replicaOfOld.query(
      `update "api_keys" set "origins" = '{https://a.example}' where "tenant_id" = $1 and "id" = $2`,
      [tenantId, made],
    )
    // One secret has an end by now; the key as a whole has none.
    expect(await refusalByNew(key)).toBeUndefined()
    expect((await findKey(database, hashApiKey(key)))?.key.origins).toEqual(['https://a.example'])
    await replicaOfOld.query(
      `update "api_keys" set "revoked_at" = least("revoked_at", now()) where "tenant_id" = $1 and "id" = $2`,
      [tenantId, made],
    )
    for (const each of [secret, key]) expect(await refusalByNew(each)).toBe('API_KEY_REVOKED')
  })
})
