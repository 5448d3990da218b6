import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { prepareDemo } from '../../src/demo/demo.ts'
import { demoSiteConfig } from '../../src/demo/siteConfig.ts'
import { parseFleetFile } from '../../src/fleet/parseFleetFile.ts'
import { projectRoot } from '../../src/projectRoot.ts'
import { importFleet } from '../../src/services/importFleet.ts'
import { useTestApp } from '../helpers/app.ts'
import { smallFleet } from '../helpers/fleet.ts'

const server = useTestApp()
const moving = useTestApp()

it('the demo website has a key that works on /docs, too, and knows what an import changed', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const { database, clock } = server.deps
  const config = { ...server.deps.config, dataDir, port: 4321 }
  const demo = await prepareDemo({ config, database, clock }, 4322)
  for (const origin of [
    'http://127.0.0.1:4321',
    'http://localhost:4321',
    'http://localhost:4322',
  ]) {
    const headers = { authorization: `Bearer ${demo?.websiteKey}`, origin }
    expect((await server.http.post('/api/v1/sessions').set(headers)).status, origin).toBe(201)
  }
  const file = parseFleetFile(await readFile(join(projectRoot, 'examples/fleet.json'), 'utf8'))
  const name = 'Under new ownership'
  await importFleet(database, { ...file, tenant: { ...file.tenant, name }, extras: [] })
  const known = await demoSiteConfig(database, demo?.assetGroupId ?? '')
  expect(known?.config).toMatchObject({ name, extras: [] })
})

it('the photos of the demo follow its website to another port, and nobody else’s do', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const { database, clock } = moving.deps
  const deps = { config: { ...moving.deps.config, dataDir, port: 4321 }, database, clock }
  await prepareDemo(deps, 4322)
  const imageUrl = 'http://127.0.0.1:4322/photos/theirs.svg'
  const { tenant } = smallFleet('other')
  const group = { ref: 'theirs', name: 'Theirs', category: 'car', imageUrl }
  await importFleet(database, parseFleetFile(JSON.stringify({ tenant, assetGroups: [group] })))
  await prepareDemo(deps, 5432)
  const { rows } = await database.pool.query('select image_url as url from asset_groups')
  const urls: string[] = rows.map(({ url }) => url)
  expect(urls).toContain(imageUrl)
  expect(urls).toContain('http://127.0.0.1:5432/photos/economy.svg')
  expect(urls.filter((url) => url.includes(':4322/'))).toEqual([imageUrl])
})
