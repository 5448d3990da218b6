import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { fleetOf } from '../helpers/fleet.ts'
import { openTestDatabase } from '../helpers/openTestDatabase.ts'
import { commandLineOn, useCommandLine } from './commandLine.ts'

const line = useCommandLine()
const suspend = ['tenants', 'set', 'north', '--status', 'suspended']

it('prints the database without a password before a command changes it', async () => {
  const { announced } = await line.run(...suspend)
  expect(announced).toMatch(/^Database: test_\w+ at \S+:\d+, as \w+\n$/)
  const away = commandLineOn('postgres://owner:secret@127.0.0.1:1/elsewhere')
  for (const argv of [
    ['maintain'],
    ['keys', 'revoke', randomUUID()],
    ['migrate'],
    ['fleet', 'import', '-'],
  ])
    expect(await away(argv)).toMatchObject({
      exitCode: 1,
      announced: 'Database: elsewhere at 127.0.0.1:1, as owner\n',
    })
})

const looking = [
  'transfer --to postgres://127.0.0.1:1/none',
  'fleet template',
  'fleet schema',
  'audit',
  'bookings list --tenant nobody',
  'bookings show aaaaaa',
  'bookings watch --tenant nobody',
  'conform --base-url http://127.0.0.1:1 --key none',
  'distribute --dry-run',
  'fleet export --tenant nobody',
  'fleet import - --dry-run',
  'fleet show --tenant nobody',
  'keys list --tenant nobody',
  'keys show aaaaaa',
  'migrate --dry-run',
  'quotes explain aaaaaa',
  'site config --tenant nobody',
  'tenants list',
  'tenants show nobody',
]
const changing = [
  'bookings cancel aaaaaa',
  'bookings confirm aaaaaa',
  'bookings reject aaaaaa',
  'customers erase aaaaaa',
  'distribute',
  'fleet block nothing --to 2038-01-01',
  'fleet import -',
  'fleet unblock nothing',
  'keys create --tenant nobody --name x --scopes all',
  'keys revoke aaaaaa',
  'keys rotate aaaaaa',
  'keys set aaaaaa --name x',
  'maintain',
  'migrate',
  'tenants set nobody --status active',
]

it('prints the database for every changing command and for no reading command', async () => {
  const { out } = await line.run('help')
  const names = [...out.matchAll(/^ {2}([a-z]+(?: [a-z]+)?) {2}/gm)].map(([, name = '']) => name)
  const announcing = async (lines: readonly string[]) => {
    const runs = lines.map(async (each) => [
      each,
      'announced' in (await line.run(...each.split(' '))),
    ])
    return Object.fromEntries(await Promise.all(runs))
  }
  const announced = { ...(await announcing(looking)), ...(await announcing(changing)) }
  expect(
    Object.entries(announced)
      .filter(([, is]) => is)
      .map(([each]) => each),
  ).toEqual(changing)
  const tried = [...looking, ...changing]
  expect(names.filter((name) => !tried.some((each) => `${each} `.startsWith(`${name} `)))).toEqual(
    [],
  )
})

it('prefers --database-url to DATABASE_URL and DATABASE_DIRECT_URL', async () => {
  const other = await openTestDatabase()
  try {
    const live = commandLineOn(line.url, {
      DATABASE_DIRECT_URL: line.url,
      DATABASE_DIRECT_URL_FILE: '/nowhere',
    })
    const elsewhere = ['--database-url', other.url]
    const fleet = JSON.stringify(fleetOf(1, 'south'))
    await live(['fleet', 'import', '-', ...elsewhere], { stdin: fleet })
    const { announced } = await live(['migrate', ...elsewhere])
    expect(announced).toContain(new URL(other.url).pathname.slice(1))
    const { out } = await live([...elsewhere, 'tenants', 'list', '--json'])
    expect(JSON.parse(out)).toMatchObject([{ slug: 'south' }])
    expect(await line.json('tenants', 'list')).toMatchObject([{ slug: 'north' }])
  } finally {
    await other.drop()
  }
})
