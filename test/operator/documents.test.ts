import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import stringWidth from 'string-width'
import { afterEach, beforeAll, expect, it } from 'vitest'
import type { z } from 'zod'
import { useTestApp } from '../helpers/app.ts'
import { openRental } from '../helpers/rental.ts'
import { commandLineOn, follow, stopFollowing, wordsOf } from './commandLine.ts'
import { readJsonDocuments } from './jsonDocuments.ts'
import { openOffice, today } from './office.ts'

/** It needs a cluster: test/citus. */
const heldElsewhere = ['distribute']
const tenant = '--tenant fjord-cars'

const server = useTestApp()
let documents: Awaited<ReturnType<typeof readJsonDocuments>>
let office: Awaited<ReturnType<typeof openOffice>>
beforeAll(async () => {
  documents = await readJsonDocuments()
  office = await openOffice(server.deps.database)
})
afterEach(stopFollowing)

const run = (argv: readonly string[], options: { stdin?: string; columns?: number } = {}) =>
  commandLineOn(server.databaseUrl, { RENTAL_OPERATOR: 'Ingrid' })(argv, { now: today, ...options })

const met = new Set<z.ZodType>()

/** Fails unless a document of the command has exactly these fields; met is what nothing else fits. */
function hold(name: string, json: unknown): void {
  const schemas = documents.get(name) ?? []
  const fitting = schemas.filter((schema) => schema.safeParse(json).success)
  const problems = schemas.map((schema) => schema.safeParse(json).error?.issues)
  const [only, ...more] = fitting
  if (only === undefined) expect.fail(`${name}: ${JSON.stringify({ problems, json }, null, 1)}`)
  if (more.length === 0) met.add(only)
}

/** Runs a line as JSON, and again for narrow terminals, where lines are broken between words. */
async function held(line: string, stdin = '') {
  const argv = wordsOf(line)
  const { out, error } = await run([...argv, '--json'], { stdin })
  if (out === '') expect.fail(`${line}: ${error}`)
  const name = [argv.slice(0, 2).join(' '), argv[0] ?? ''].find((each) => documents.has(each))
  hold(name ?? line, JSON.parse(out))
  for (const columns of [80, 60]) {
    const told = await run(argv, { stdin, columns })
    const lines = `${told.out}${told.error}`.split('\n').filter((each) => !/^ *["{}[\]]/.test(each))
    const broken = lines.filter((each) => stringWidth(each) > columns && /\S \S/.test(each))
    expect({ line, columns, broken }).toEqual({ line, columns, broken: [] })
  }
  return JSON.parse(out)
}

async function holdFleet() {
  await held("fleet block 'EL 10001' --to 2030-03-09 --reason 'broken axle'")
  await held(`fleet show ${tenant}`)
  await held("fleet unblock 'EL 10001'")
  const exported = await held(`fleet export ${tenant}`)
  await held('fleet import -', JSON.stringify(exported))
  exported.tenant.name = 'Fjord and Valley Cars'
  await held('fleet import - --dry-run', JSON.stringify({ ...exported, extras: [] }))
}

async function holdKeys() {
  const expires = '--expires 2040-01-01T00:00:00Z'
  const { id, key } = await held(`keys create ${tenant} --name Site --scopes all ${expires}`)
  await held(`keys set ${id} --add-origin https://*.fjord.example --limit reads=600`)
  await held(`keys rotate ${id} --overlap 12h`)
  await held(`keys list ${tenant}`)
  const { port } = server.app.server.address() as AddressInfo
  const conform = `conform --base-url http://127.0.0.1:${port} --key ${key} --json`
  hold('conform', JSON.parse((await run(wordsOf(conform))).out))
  await held(`keys show ${id}`)
  await held(`keys revoke ${id}`)
}

async function holdBookings() {
  const { ola, kari, taro, dana, per } = office.bookings
  await held(`bookings list ${tenant} --status all`)
  await held(`bookings show ${kari}`)
  await held(`bookings show ${kari} ${ola}`)
  await held(`bookings reject ${tenant} --older-than 3d`)
  await held(`bookings confirm ${kari} --reason 'seats are mounted'`)
  await held(`bookings confirm ${taro} ${ola}`)
  await held(`bookings review ${tenant} --plain`, 'r\nno vehicle left\nq\n')
  await held(`bookings reject ${dana}`)
  await held(`bookings reject ${dana} ${per}`)
  await held(`bookings cancel ${per}`)
  await held(`bookings cancel ${per} ${kari}`)
  await held(`quotes explain ${kari}`)
  await held(`customers erase ${kari}`)
}

async function holdNews(line: string, count: number) {
  const { told, news } = await follow(server.databaseUrl, ...wordsOf(line))
  await told(count)
  for (const one of news) hold(line.split(' ').slice(0, 2).join(' '), one)
}

it('every command prints what docs/cli.md says, field by field, and no line too wide', async () => {
  const { database } = server.deps
  await held('migrate')
  await held('migrate --dry-run')
  await held('tenants list')
  await held('tenants show fjord-cars')
  await held('tenants set fjord-cars --pending-hold-hours 48')
  await holdFleet()
  await holdKeys()
  await holdBookings()
  await held(`site config ${tenant}`)
  await held('maintain')
  await holdNews(`bookings watch ${tenant} --since 0`, 8)
  const sandbox = readFileSync(join(import.meta.dirname, '../../examples/sandbox.json'), 'utf8')
  const desk = await openRental(database, JSON.parse(sandbox))
  await desk.book('2038-03-04T10:00:00Z', '2038-03-05T10:00:00Z')
  await holdNews('bookings rehearse --tenant sandbox --after 0s', 1)
  await database.pool.query('update quotes set used_at = null')
  await database.pool.query('update assets set archived_at = now()')
  const audit = await held('audit')
  expect([audit.ok, audit.overbookings.length > 0]).toEqual([false, true])

  const isMet = (schemas: readonly z.ZodType[]) =>
    schemas.length > 0 && schemas.every((each) => met.has(each))
  const unmet = [...documents].filter(
    ([name, schemas]) => !isMet(schemas) && !heldElsewhere.includes(name),
  )
  expect(unmet.map(([name]) => name)).toEqual([])
})
