import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../../helpers/database.ts'

const script = readFileSync(join(import.meta.dirname, '../../../docker/postgres/roles.sql'), 'utf8')
/** A prefix for this run's roles, because roles belong to the whole server. */
const own = `r${randomBytes(4).toString('hex')}`
const names = ['api', 'owner', 'backup', 'monitor']
const api = `${own}_api`
const [login, owner, backup, monitor] = names.map((name) => `${own}_${name}_login`)

/** Runs the script as psql would, inside the current transaction. */
async function runScript(client: pg.Client, database: string, retire: boolean): Promise<string[]> {
  const values = new Map([['retire', `${retire}`]])
  for (const name of names) {
    values.set(`${name}_user`, `${own}_${name}_login`).set(`${name}_password`, 'secret')
  }
  const ran: string[] = []
  const run = async (text: string) => {
    ran.push(text)
    return client.query<Record<string, string>>({ text, rowMode: 'array' } as never)
  }
  const statements = script
    .replace(/^ *--.*$/gm, '')
    .replaceAll('rental_api', api)
    .replaceAll('database rental', `database ${database}`)
    .replace(/^\\set (\w+) '(.*)'$/gm, (_, name, value) => {
      values.set(name, value)
      return ''
    })
    .replace(/:(['"]?)(\w+)\1(?=\W)(?<!::\w+)/g, (whole, quote, name) =>
      values.has(name) ? quote + values.get(name) + quote : whole,
    )
    .split(/(?<=;|\\gexec)\n/)
  for (const statement of statements) {
    if (/^\s*(begin|commit);$/.test(statement) || statement.trim() === '') continue
    const [query = '', executes] = statement.split('\\gexec')
    const { rows } = await run(query)
    if (executes !== undefined)
      for (const [made] of rows as unknown as string[][]) await run(made ?? '')
  }
  return ran
}

it('the roles script creates the roles in one transaction', () => {
  const statements = script.replace(/^ *--.*$/gm, '')
  expect(statements).toMatch(/^\s*set client_min_messages = warning;\nbegin;\n/)
  expect(statements.split(/^commit;$/m)[1]).not.toMatch(/\b(create|alter|grant|revoke)\b/)
})

it('the roles script grants each role only the rights it needs', async () => {
  const { url, drop } = await createTestDatabase()
  const database = new URL(url).pathname.slice(1)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const may = async (how: string) => {
    const { rows } = await client.query(`select ${how} as is`)
    return rows[0].is as boolean
  }
  const rights = async (role: string | undefined, table: string) => {
    const all = ['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']
    const { rows } = await client.query(
      `select has_table_privilege($1, $2, name) as held from unnest($3::text[]) name`,
      [role, table, all],
    )
    return all.filter((_, index) => rows[index].held).join(' ')
  }
  const logins = async () => {
    const { rows } = await client.query(
      `select rolname, rolsuper or rolcreaterole or rolbypassrls as high, rolcreatedb, rolreplication, rolcanlogin
       from pg_roles where rolname like '${own}%' order by 1`,
    )
    return rows.map((row) =>
      Object.values(row).join(' ').replaceAll('false', '-').replaceAll('true', 'yes'),
    )
  }
  try {
    await client.query('begin')
    await runScript(client, database, false)
    expect(await logins()).toEqual([
      `${api} - - - -`,
      `${login} - - - yes`,
      `${backup} - - - yes`,
      `${monitor} - - - yes`,
      `${owner} - - - yes`,
    ])
    const rows = 'select insert update delete'
    await client.query(`set local role ${owner}`)
    await client.query('create table later (id serial); create table drizzle.later (id int)')
    await client.query('reset role')
    for (const table of ['bookings', 'later'])
      for (const [role, held] of [
        [login, rows],
        [backup, 'select'],
        [monitor, ''],
      ])
        expect([role, table, await rights(role, table)]).toEqual([role, table, held])
    const { rows: readOnly } = await client.query(
      "select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'drizzle'::regnamespace",
    )
    expect(readOnly.length).toBeGreaterThan(1)
    for (const { name } of readOnly)
      expect([name, await rights(login, name)]).toEqual([name, 'select'])
    expect(await may(`has_sequence_privilege('${login}', 'later_id_seq', 'usage')`)).toBe(true)
    expect(await may(`has_schema_privilege('${login}', 'public', 'create')`)).toBe(false)
    await client.query(`create role ${own}_nobody`)
    for (const name of [database, 'postgres', 'template1'])
      for (const [role, here] of [
        [`${own}_nobody`, false],
        [login, true],
        [backup, true],
        [monitor, true],
      ])
        expect([
          role,
          name,
          await may(`has_database_privilege('${role}', '${name}', 'connect')`),
        ]).toEqual([role, name, here === true && name === database])

    await client.query(`create role ${own}_former login in role ${api}`)
    await runScript(client, database, false)
    expect(await logins()).toContain(`${own}_former - - - yes`)
    const ran = await runScript(client, database, true)
    expect(await logins()).toEqual(
      expect.arrayContaining([`${own}_former - - - -`, `${login} - - - yes`]),
    )
    expect(ran.join('\n')).toMatch(
      /^\s*select pg_terminate_backend\(pid\) .* where not rolcanlogin;$/m,
    )
  } finally {
    await client.query('rollback')
    await client.end()
    await drop()
  }
})
