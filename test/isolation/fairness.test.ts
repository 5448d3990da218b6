import { afterAll, beforeAll, expect, it } from 'vitest'
import { closeDatabase, type Database } from '../../src/db/connection/database.ts'
import { insertQuotes } from '../faults/insertQuotes.ts'
import { type Actor, customer } from '../helpers/actors.ts'
import { useHttpClients } from '../helpers/httpClients.ts'
import { lockWaiters } from '../helpers/lockWaits.ts'
import { openPool } from '../helpers/openPool.ts'
import { expectData } from '../helpers/responses.ts'
import { aGroup, aTenant } from '../helpers/seed.ts'
import { waitFor } from '../helpers/waitFor.ts'

const clients = useHttpClients()
let locking: Database
let neighbour: Actor
let neighbourGroupId: string
beforeAll(async () => {
  locking = openPool(clients.server.databaseUrl, { poolMax: 2 })
  const tenantId = await aTenant(clients.database())
  neighbourGroupId = await aGroup(clients.database(), tenantId)
  neighbour = await clients.anotherPartner(tenantId)
})
afterAll(() => closeDatabase(locking))

it('books for a tenant while more bookings of another tenant than the pool has connections wait for a lock', async () => {
  const { tenantId, groupId, partner } = clients
  const keys = 'select id from api_keys where tenant_id = $1'
  const { rows } = await locking.pool.query(keys, [tenantId])
  const count = clients.database().pool.options.max + 2
  const owner = { tenantId, keyId: rows[0].id, groupId, count, expiresInMs: 600_000 }
  const quotes = await insertQuotes(locking, owner)
  const rental = { ...clients.rental(), assetGroupId: neighbourGroupId }
  const { quoteId: theirs } = expectData(await neighbour.post('/quotes', rental), 201)
  const session = await locking.pool.connect()
  let ended = 0
  try {
    await session.query('begin')
    await session.query(`select from quotes where tenant_id = '${tenantId}' for update`)
    for (const quoteId of quotes) {
      partner.book({ quoteId, customer }).then(() => {
        ended += 1
      })
    }
    const waits = async () => (await locking.pool.query(`select ${lockWaiters}`)).rowCount ?? 0
    await waitFor(async () => ended > 0 || (await waits()) > 1)
    const { status } = await neighbour.book({ quoteId: theirs, customer })
    expect([status, ended]).toEqual([202, 0])
  } finally {
    await session.query('rollback')
    session.release()
  }
  await waitFor(() => ended === count)
})
