import type { AddressInfo } from 'node:net'
import { beforeAll, expect, it } from 'vitest'
import { conform } from '../../src/conform/conform.ts'
import { useTestApp } from '../helpers/app.ts'
import { runStatements } from '../helpers/maintenance.ts'
import { aGroup, aKey, aTenant } from '../helpers/seed.ts'

const server = useTestApp()
const origin = 'https://shop.example'
let apiKey: string

beforeAll(async () => {
  const tenantId = await aTenant(server.deps.database)
  apiKey = (await aKey(server.deps.database, tenantId, { origins: [origin] })).key
  await aGroup(server.deps.database, tenantId, { rate: null })
  await aGroup(server.deps.database, tenantId)
})

const problems = async () => {
  const { port } = server.app.server.address() as AddressInfo
  const { findings } = await conform({ baseUrl: `http://127.0.0.1:${port}`, apiKey, origin })
  return findings.filter(({ problem }) => problem !== undefined)
}

/** What the next release may do to any table while this one is still running. */
const expand = async () => {
  const { rows } = await server.deps.database.pool.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  expect(rows.length).toBeGreaterThan(10)
  await runStatements(
    server.databaseUrl,
    ...rows.flatMap(({ name }) => [
      `ALTER TABLE ${name} ADD COLUMN next_note text`,
      `ALTER TABLE ${name} ADD COLUMN next_flag boolean DEFAULT false NOT NULL`,
      `CREATE INDEX ON ${name} (next_flag)`,
      `ALTER TABLE ${name} ADD CONSTRAINT ${name}_next CHECK (next_note <> '') NOT VALID`,
    ]),
    `CREATE TABLE next_things (tenant_id uuid, id uuid, booking_id uuid,
       PRIMARY KEY (tenant_id, id),
       FOREIGN KEY (tenant_id, booking_id) REFERENCES bookings (tenant_id, id))`,
  )
}

// There has been one release so far: it stands for "the release before", and plays its part with
// statements prepared and plans kept from the schema of old.
it('a server keeps to the contract while its schema is expanded under it', async () => {
  expect(await problems()).toEqual([])
  await expand()
  expect(await problems()).toEqual([])
})
