import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  changeApiKey,
  createApiKey,
  revokeApiKey,
  rotateApiKey,
} from '../../../src/services/manageKeys.ts'
import { changeTenant } from '../../../src/services/tenantTerms.ts'
import { importFile, smallFleet } from '../../helpers/fleet.ts'
import { useTestDatabase } from '../../helpers/openTestDatabase.ts'
import { waitFor } from '../../helpers/waitFor.ts'

const test = useTestDatabase()
let listener: pg.Client
let keyId: string
let tenantId: string
const notifications: string[] = []
const now = new Date()
const slug = 'fjord-cars'
const load = (file: unknown) => importFile(test.database, file)

beforeAll(async () => {
  tenantId = (await load(smallFleet())).tenantId
  const request = { tenant: slug, name: 'shop', scopes: ['all'] }
  keyId = (await createApiKey(test.database, request, now)).id
  listener = new pg.Client({ connectionString: test.url })
  listener.on('notification', ({ channel, payload }) =>
    notifications.push(`${channel} ${payload}`.trim()),
  )
  await listener.connect()
  await listener.query('listen access_changed; listen catalog_changed; listen said_it_all')
})
afterAll(() => listener.end())

it('commands that change a key, tenant or catalog notify the replicas', async () => {
  const { tenant, ...offers } = smallFleet()
  const sells = { ...offers, extras: [] }
  const renamed = { ...tenant, name: 'Fjord', taxPercent: '12' }
  const changes: Record<string, () => Promise<unknown>> = {
    'keys set': () => changeApiKey(test.database, keyId, { name: 'site' }, now),
    'keys rotate': () => rotateApiKey(test.database, keyId, 60, now),
    'keys revoke': () => revokeApiKey(test.database, keyId),
    'tenants set': () => changeTenant(test.database, slug, { status: 'suspended' }),
    'tenants set of the same': () => changeTenant(test.database, slug, { status: 'suspended' }),
    'other offers': () => load({ tenant, ...sells }),
    'another name, other terms': () => load({ tenant: renamed, ...sells }),
  }
  const byCommand: Record<string, string[]> = {}
  for (const [name, change] of Object.entries(changes)) {
    notifications.length = 0
    await change()
    await listener.query('notify said_it_all')
    await waitFor(() => notifications.includes('said_it_all'))
    byCommand[name] = notifications.slice(0, notifications.indexOf('said_it_all')).sort()
  }
  const [access, catalog] = [`access_changed ${tenantId}`, `catalog_changed ${tenantId}`]
  expect(byCommand).toEqual({
    'keys set': [access],
    'keys rotate': [access],
    'keys revoke': [access],
    'tenants set': [access, catalog],
    'tenants set of the same': [],
    'other offers': [catalog],
    'another name, other terms': [access, catalog],
  })
})
