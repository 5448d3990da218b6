import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { follow, stopFollowing } from '../cli/commandLine.ts'
import { fleetOf } from '../helpers/fleet.ts'
import { runStatements } from '../helpers/maintenance.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { customer, openWorld, period, type World } from './world.ts'

const slugs = ['north', 'south', 'east', 'west', 'inland', 'island']
const visibleWithinMs = 2_000
const shop = ['--tenant', 'fjord-cars']
let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterEach(stopFollowing)
afterAll(() => world?.close())

interface Imported extends Readonly<Record<'created' | 'updated' | 'archived', number>> {
  readonly tenantId: string
  readonly assetGroups: readonly { readonly id: string }[]
}

const imported = (file: object, ...more: string[]) =>
  world.rental<Imported>(['fleet', 'import', '-', ...more], JSON.stringify(file))

const watch = (...more: string[]) =>
  follow<{ cursor: string }>(world.cluster.owner, 'bookings', 'watch', ...shop, ...more)

async function availability() {
  const { pickupDatetime: from, dropoffDatetime: to } = period
  const query = new URLSearchParams({ from, to })
  const group = world.shop.assetGroups[0]?.id
  const { data } = await world.call(0, `/asset-groups/${group}/availability?${query}`)
  return Number(data['availableCount'])
}

describe('staff commands through the coordinator', () => {
  it('watches bookings and rejects a booking', async () => {
    const watching = await watch()
    const id = await world.booked()
    const decide = ['--reason', 'no licence', '--as', 'Kari']
    expect(await world.rental(['bookings', 'reject', id, ...decide])).toMatchObject({
      id,
      status: 'rejected',
    })
    await watching.printed(2)
    expect(watching.news).toMatchObject([
      { type: 'booked', booking: { id } },
      { type: 'rejected', actor: 'Kari', reason: 'no licence', booking: { id } },
    ])
    expect(await watching.stop()).toBe(0)
    const again = await watch('--since', '0')
    await again.printed(2)
    const cursors = ({ news }: typeof again) => news.map(({ cursor }) => cursor)
    expect(cursors(again)).toEqual(cursors(watching))
  })

  it('blocks and unblocks a vehicle', async () => {
    const free = await availability()
    const ref = world.shop.assetGroups[0]?.assets[0]?.ref ?? ''
    const from = ['--from', '2038-04-01']
    await world.rental(['fleet', 'block', ref, ...shop, ...from, '--to', '2038-06-01'])
    expect(await availability()).toBe(free - 1)
    await world.rental(['fleet', 'unblock', ref, ...shop, ...from])
    expect(await availability()).toBe(free)
  })

  it('imports six fleets at once and one fleet six times', async () => {
    const six = await Promise.all(slugs.map((slug) => imported(fleetOf(20, slug))))
    expect(new Set(six.map(({ tenantId }) => tenantId)).size).toBe(6)
    const one = await Promise.all(slugs.map(() => imported(fleetOf(20, 'coast'))))
    expect(one.map(({ created }) => created).sort((a, b) => a - b)).toEqual([0, 0, 0, 0, 0, 25])
    expect(await imported(fleetOf(19, 'coast'), '--dry-run')).toMatchObject({ archived: 1 })
    const exported = await world.rental<object>(['fleet', 'export', '--tenant', 'coast'])
    expect(await imported(exported)).toMatchObject({ created: 0, updated: 0, archived: 0 })
  })

  it('lists, confirms, cancels and rejects bookings and erases customers', async () => {
    const bookingId = await world.booked()
    await world.rental(['bookings', 'confirm', bookingId.slice(0, 8), '--as', 'kari'])
    const { data } = await world.call(1, `/bookings/${bookingId}`)
    expect(data['status']).toBe('confirmed')
    await world.rental(['bookings', 'list', ...shop, '--search', 'kari'])
    await world.rental(['quotes', 'explain', bookingId])
    await world.rental(['bookings', 'cancel', bookingId, '--as', 'kari'])
    const other = await world.booked()
    await world.rental(['customers', 'erase', '--yes', other, '--as', 'kari'])
    await world.rental(['bookings', 'reject', other, '--as', 'kari', '--reason', customer.email])
    await world.rental(['customers', 'erase', '--yes', other, '--as', 'kari'])
    await world.rental([
      'customers',
      'erase',
      '--yes',
      ...shop,
      '--email',
      customer.email,
      '--as',
      'kari',
    ])
    for (const id of [bookingId, other]) {
      const page = await world.rental(['bookings', 'show', id])
      expect(JSON.stringify(page)).not.toContain(customer.email)
    }
  })

  it('prints the widget configuration of a tenant', async () => {
    const config = await world.rental(['site', 'config', ...shop])
    expect(config).toMatchObject({
      name: 'Fjord Cars',
      extras: expect.arrayContaining([expect.objectContaining({ name: 'Child seat' })]),
    })
  })

  it('rotates keys and suspends tenants', async () => {
    const { id } = await world.newKey('fjord-cars')
    await world.rental(['keys', 'rotate', id, '--overlap', '1h'])
    await world.rental(['keys', 'set', id, '--name', 'other'])
    expect(await world.rental(['keys', 'list', ...shop])).toHaveLength(2)
    const set = (status: string) =>
      world.rental(['tenants', 'set', 'fjord-cars', '--status', status])
    const lists = () => world.call(0, '/asset-groups')
    await set('suspended')
    await waitFor(async () => (await lists()).code === 'TENANT_SUSPENDED', visibleWithinMs)
    await set('active')
    await waitFor(async () => (await lists()).status === 200, visibleWithinMs)
  })

  it('deletes old records and audits the database', async () => {
    const bookingId = await world.booked()
    await world.rental(['bookings', 'confirm', bookingId, '--as', 'kari'])
    await world.quote()
    await runStatements(
      world.cluster.owner,
      `update idempotency_records set created_at = now() - interval '2 days'`,
      `update quotes set expires_at = now() - interval '3 days' where used_at is null`,
    )
    const deleted = await world.rental<Record<string, number>>(['maintain'])
    const some = Object.entries(deleted).flatMap(([chore, rows]) => (rows > 0 ? [chore] : []))
    expect(some).toEqual(['idempotencyRecords', 'quotes'])
    expect(await world.rental(['audit'])).toMatchObject({ ok: true })
  })
})
