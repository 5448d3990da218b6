import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import supertest from 'supertest'
import { expect, it, onTestFinished } from 'vitest'
import { projectRoot } from '../../src/config/projectRoot.ts'
import { prepareDemo } from '../../src/demo/demo.ts'
import { demoSiteConfig, openDemo } from '../../src/demo/openDemo.ts'
import { parseFleetFile } from '../../src/fleet/parseFleetFile.ts'
import { importFleet } from '../../src/services/importFleet.ts'
import { useTestApp } from '../helpers/app.ts'

const server = useTestApp()

/** Returns a demo with its own DATA_DIR. */
async function aDemo() {
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const { database, now } = server.deps
  onTestFinished(async () => {
    await database.pool.query('truncate tenants cascade')
  })
  const config = { ...server.deps.config, dataDir, port: 4321, demoPort: 0 }
  const prepare = (sitePort?: number) => prepareDemo({ config, database, now }, sitePort)
  const open = (demoPort = 0) => openDemo({ ...server.deps, config: { ...config, demoPort } })
  return { dataDir, prepare, open }
}

/** Returns the status of a session request from a page with this key. */
async function sessionWith(key: string | undefined, origin = 'http://localhost:4321') {
  const headers = { authorization: `Bearer ${key}`, origin }
  return (await server.http.post('/api/v1/sessions').set(headers)).status
}

it('the demo gives its website a key that works on /docs, and shows imported changes', async () => {
  const { database } = server.deps
  const demo = await (await aDemo()).prepare(4322)
  for (const origin of [
    'http://127.0.0.1:4321',
    'http://localhost:4321',
    'http://localhost:4322',
  ]) {
    expect(await sessionWith(demo?.websiteKey, origin), origin).toBe(201)
  }
  const withoutOrigin = { authorization: `Bearer ${demo?.websiteKey}` }
  expect((await server.http.post('/api/v1/sessions').set(withoutOrigin)).status).toBe(403)
  const file = parseFleetFile(await readFile(join(projectRoot, 'examples/fleet.json'), 'utf8'))
  const name = 'Under new ownership'
  await importFleet(database, { ...file, tenant: { ...file.tenant, name }, extras: [] })
  const known = await demoSiteConfig(database, demo?.assetGroupId ?? '')
  expect(known?.config).toMatchObject({ name, extras: [] })
})

it('the demo adds the website origin to its key when the website gets a port', async () => {
  const { prepare } = await aDemo()
  const { websiteKey, websiteOrigins } = (await prepare()) ?? {}
  expect(websiteOrigins).toEqual(['http://127.0.0.1:4321', 'http://localhost:4321'])
  expect(await sessionWith(websiteKey)).toBe(201)
  expect(await prepare(4322)).toMatchObject({ websiteKey })
  // The key is cached until the notification of its change arrives.
  await expect.poll(() => sessionWith(websiteKey, 'http://localhost:4322')).toBe(201)
  expect(await sessionWith(websiteKey)).toBe(201)
})

it('the demo prints its addresses and keys, and its website serves its own key', async () => {
  const { prepare, open } = await aDemo()
  const opened = await open()
  onTestFinished(() => opened?.close())
  const text = opened?.start('http://127.0.0.1:4321') ?? ''
  const [, site = ''] = /^Example website: +(\S+)$/m.exec(text) ?? []
  const { serverKey, websiteKey, websiteOrigins, assetGroupId } = (await prepare()) ?? {}
  expect(websiteOrigins).toContain(site)
  expect(text).toContain(`key for servers    ${serverKey}\n`)
  expect(text).toContain(`key for the site   ${websiteKey}\n`)
  expect(text).toContain(`(from ${websiteOrigins?.join(', ')})`)
  const day = (days: number) => new Date(server.clock.now().getTime() + days * 86_400_000)
  const at = (days: number) => `${day(days).toISOString().slice(0, 10)}T10:00:00Z`
  const rental = { assetGroupId, pickupDatetime: at(7), dropoffDatetime: at(10) }
  expect(text).toContain(JSON.stringify(rental))
  expect(text).toContain('Idempotency-Key: $QUOTE_ID')
  expect(text).toMatch(/^# Staff confirm it with: .* bookings confirm \$BOOKING_ID$/m)
  const { body: known } = await supertest(site).get('/config.json')
  expect(known).toMatchObject({ baseUrl: 'http://127.0.0.1:4321', apiKey: websiteKey })
  const most = known.config.extras.map((extra: Record<string, unknown>) => [
    extra['name'],
    extra['quantityMax'],
  ])
  expect(known.config.pollSeconds).toBe(3)
  expect(Object.fromEntries(most)).toMatchObject({ 'Child seat': 4, 'Ski rack': 1 })
  // The website's port is in use now, so the second demo prints no website address.
  const second = await open(Number(new URL(site).port))
  expect(second?.start('http://127.0.0.1:4321')).not.toContain('Example website')
})
