import { execFile } from 'node:child_process'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { remove, temporaryDirectory } from '../embedded/installation.ts'
import { compiledServer } from '../helpers/compiledServer.ts'
import { createDatabase } from '../helpers/database.ts'
import { fleetOf } from '../helpers/fleet.ts'
import { openTestDatabase, useTestDatabase } from '../helpers/openTestDatabase.ts'
import { openRental } from '../helpers/rental.ts'
import { commandLineOn } from './commandLine.ts'

let compiled: string
let directory: string
let data: string
let file: string
const database = useTestDatabase()
beforeAll(async () => {
  compiled = dirname(await compiledServer())
  directory = await temporaryDirectory('open')
  data = join(directory, 'data')
  await mkdir(data)
  file = join(directory, 'fleet.json')
  await writeFile(file, JSON.stringify(fleetOf(100)))
})
afterAll(() => remove(directory))

/** Runs the compiled command line in a process of its own. */
function rental(environment: NodeJS.ProcessEnv, ...argv: string[]) {
  const program = join(compiled, 'cli.js')
  const { PATH } = process.env
  return new Promise<{ exitCode: unknown; out: string; error: string }>((done) => {
    execFile(
      process.execPath,
      [program, ...argv],
      { env: { PATH, ...environment } },
      (failure, out, error) => done({ exitCode: failure === null ? 0 : failure.code, out, error }),
    )
  })
}

describe('rental process', () => {
  it('prints one JSON document when it imports 100 vehicles', async () => {
    const given = { DATABASE_URL: database.url }
    const { exitCode, out, error } = await rental(given, 'fleet', 'import', file, '--json')
    expect({ exitCode, error }).toEqual({
      exitCode: 0,
      error: expect.stringMatching(/^Database: test_\w+ at \S+:\d+, as \w+\n$/),
    })
    expect(JSON.parse(out)).toMatchObject({ created: 105 })
  })

  it('exits with 1 for errors and 2 for usage errors, without output on stdout', async () => {
    const given = { DATABASE_URL: database.url }
    expect(await rental(given, 'keys', 'list', '--tenant', 'nobody', '--json')).toEqual({
      exitCode: 1,
      out: '',
      error: expect.stringContaining('There is no tenant "nobody"'),
    })
    expect(await rental(given, 'keys', 'show', '--json')).toMatchObject({ exitCode: 2, out: '' })
  })

  it('starts the embedded database with durable settings and keeps its data', async () => {
    const given = { DATA_DIR: data }
    const first = await rental(given, 'fleet', 'import', file, '--json')
    expect(first).toMatchObject({ exitCode: 0, error: `Database: the embedded one in ${data}\n` })
    const options = await readFile(join(data, 'postgres', 'postmaster.opts'), 'utf8')
    for (const name of ['fsync', 'synchronous_commit', 'full_page_writes'])
      expect(options).not.toContain(name)
    const second = await rental(given, 'tenants', 'list', '--json')
    expect(JSON.parse(second.out)).toEqual([expect.objectContaining({ slug: 'fjord-cars' })])
  })

  it('waits while another command uses the embedded database', async () => {
    const given = { DATA_DIR: data }
    const commands = Array.from({ length: 3 }, () => rental(given, 'tenants', 'list', '--json'))
    for (const { exitCode, error } of await Promise.all(commands))
      expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' })
  })

  it('creates no database in a mistyped DATA_DIR, except with migrate', async () => {
    const mistyped = join(directory, 'mistyped')
    const lines = [
      ...[
        ['tenants', 'list'],
        ['fleet', 'import', file],
      ],
      ['distribute'],
      ['migrate', '--dry-run'],
    ]
    const runs = await Promise.all(lines.map((argv) => rental({ DATA_DIR: mistyped }, ...argv)))
    for (const { exitCode, out, error } of runs) {
      expect([exitCode, out]).toEqual([1, ''])
      expect(error).toContain(`There is no database in ${mistyped}. Set DATA_DIR`)
    }
    await expect(stat(mistyped)).rejects.toThrow('ENOENT')
    const { exitCode, out } = await rental({ DATA_DIR: mistyped }, 'migrate')
    expect([exitCode, out]).toEqual([0, expect.stringMatching(/^Applied \d+ migrations:\n {2}\S/)])
  })

  it('names an invalid environment variable and exits with 1', async () => {
    const { exitCode, error } = await rental({ PREPARED_STATEMENTS: 'many' }, 'tenants', 'list')
    expect(exitCode).toBe(1)
    expect(error).toContain('PREPARED_STATEMENTS')
  })

  it('records the operating system account as actor, ignoring USER and LOGNAME', async () => {
    const test = await openTestDatabase()
    try {
      const rentalDesk = await openRental(test.database, fleetOf(1))
      const bookingId = await rentalDesk.book('2038-03-01T10:00:00Z', '2038-03-02T10:00:00Z')
      const given = { DATABASE_URL: test.url, USER: 'somebody else', LOGNAME: 'somebody else' }
      expect(await rental(given, 'bookings', 'reject', bookingId)).toMatchObject({ exitCode: 0 })
      const { rows } = await test.database.pool.query('select actor from booking_events')
      expect(rows).toEqual([{ actor: userInfo().username }])
    } finally {
      await test.drop()
    }
  })

  it('suggests rental migrate on a database without tables', async () => {
    const { url, drop } = await createDatabase('TEMPLATE template0')
    try {
      const given = { DATABASE_URL: url }
      expect(await rental(given, 'tenants', 'list')).toEqual({
        exitCode: 1,
        out: '',
        error: expect.stringContaining('Run `rental migrate`'),
      })
      const { applied, migrations } = JSON.parse((await rental(given, 'migrate', '--json')).out)
      expect([applied, applied > 0]).toEqual([migrations.length, true])
      expect(await rental(given, 'tenants', 'list', '--json')).toMatchObject({ out: '[]\n' })
      const { out } = await commandLineOn(given.DATABASE_URL)(['tenants', 'list'])
      expect(out).toBe('No tenants yet. Import a fleet file to create one.\n')
    } finally {
      await drop()
    }
  })
})
