import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { generateApiKey, hashApiKey } from '../../src/auth/keyFormat.ts'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import { findKey } from '../../src/db/queries/keys/keyLookup.ts'
import { lockApiKey } from '../../src/db/queries/keys/keyRows.ts'
import {
  changeApiKey,
  listApiKeys,
  replaceOrigins,
  revokeApiKey,
} from '../../src/services/manageKeys.ts'
import { smallFleet } from '../helpers/fleet.ts'
import { openRental } from '../helpers/rental.ts'
import { useApiKeys } from './useApiKeys.ts'

const test = useApiKeys()
const { create, problemOf, waitForWaiting } = test

function change(id: string, more: Partial<Parameters<typeof changeApiKey>[2]>) {
  const nothing = { addedOrigins: [], removedOrigins: [], limits: {} }
  return changeApiKey(test.database, id, { ...nothing, ...more }, new Date())
}

describe('changeApiKey', () => {
  it('keeps the secret and the settings that are not given', async () => {
    const settings = {
      scopes: ['rates:read'],
      origins: ['https://a.example'],
      limits: { reads: 9 },
    }
    const { id, key } = await create(settings)
    const renamed = { name: 'renamed', ...settings }
    expect(await change(id, { name: ' renamed ' })).toMatchObject(renamed)
    expect(await problemOf(key)).toBeUndefined()
  })

  it('adds, removes and replaces origins in the form that browsers send', async () => {
    const { id } = await create({ origins: ['https://a.example', 'https://b.example'] })
    await expect(change(id, { removedOrigins: ['https://c.example'] })).rejects.toThrow(
      'https://c.example is not an origin of this key. Its origins: https://a.example, https://b.example.',
    )
    expect((await change(id, { removedOrigins: ['https://A.example'] })).origins).toEqual([
      'https://b.example',
    ])
    const addedOrigins = ['HTTPS://C.example:443', 'https://b.example']
    expect((await change(id, { addedOrigins })).origins).toEqual([
      'https://b.example',
      'https://c.example',
    ])
    const replacement = {
      origins: ['https://d.example', 'https://e.example'],
      addedOrigins: ['https://f.example'],
      removedOrigins: ['https://d.example'],
    }
    expect((await change(id, replacement)).origins).toEqual([
      'https://e.example',
      'https://f.example',
    ])
    expect((await change(id, { origins: [] })).origins).toEqual([])
    await expect(change(id, { removedOrigins: ['https://b.example'] })).rejects.toThrow(
      'https://b.example is not an origin of this key. Its origins: none.',
    )
  })

  it('replaces demo origins and keeps others unless the key is revoked or expired', async () => {
    const [before, after, own] = ['http://localhost:1', 'http://localhost:2', 'http://localhost:3']
    // An origin that staff removed from the key.
    const removed = 'http://localhost:4'
    const expiresAt = new Date(Date.now() + 3_600_000)
    for (const [how, expected] of [
      ['good', [own, after]],
      ['revoked', [before, own]],
      ['expired', [before, own]],
    ] as const) {
      const { id, key } = await create({ origins: [before, own], expiresAt })
      if (how === 'revoked') await revokeApiKey(test.database, id)
      const now = how === 'expired' ? expiresAt : new Date()
      const moved = { before: [removed, before], after: [after] }
      // replaceOrigins must ignore an unknown key: the key of the demo may no longer exist.
      for (const secret of [key, generateApiKey()]) {
        await replaceOrigins(test.database, secret, moved, now)
      }
      expect((await findKey(test.database, hashApiKey(key)))?.key.origins).toEqual(expected)
    }
  })

  it('keeps both changes when two run concurrently', async () => {
    const { id } = await create()
    const holder = new pg.Client({ connectionString: test.url })
    await holder.connect()
    try {
      // Without a lock, each change would read before the other writes.
      await holder.query('begin')
      await holder.query('update api_keys set name = name where id = $1', [id])
      const added = ['https://a.example', 'https://b.example']
      const changes = Promise.all(added.map((origin) => change(id, { addedOrigins: [origin] })))
      await waitForWaiting(2)
      await holder.query('commit')
      await changes
      const listed = await listApiKeys(test.database, test.tenant)
      expect(listed.find((key) => key.id === id)?.origins.toSorted()).toEqual(added)
    } finally {
      await holder.end()
    }
  })

  it('does not block quotes and bookings while a key is being changed', async () => {
    const rental = await openRental(test.database, smallFleet('open-meanwhile'))
    const [key] = await listApiKeys(test.database, rental.fleet.slug)
    await inTransaction(test.database, async (transaction) => {
      await lockApiKey(transaction, { tenantId: rental.fleet.tenantId, id: key?.id ?? '' })
      expect(await rental.book('2038-03-01T10:00:00Z', '2038-03-02T10:00:00Z')).toBeTruthy()
    })
  })

  it('sets limits and removes those that are null', async () => {
    const { id } = await create({ limits: { reads: 9, quotes: 8 } })
    expect((await change(id, { limits: { reads: 7 } })).limits).toEqual({ reads: 7, quotes: 8 })
    expect((await change(id, { limits: { reads: null } })).limits).toEqual({ quotes: 8 })
    await expect(change(id, { limits: { writes: null } })).rejects.toThrow('Unknown limit')
  })
})
