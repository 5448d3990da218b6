import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { assetBlocks, assetGroups, assets, tenants } from '../../src/db/schema.ts'
import { type Actor, aServer, customer } from '../helpers/actors.ts'
import { expectData, expectError } from '../helpers/answers.ts'
import { useTestApp } from '../helpers/app.ts'
import { aGroup, aKey, aTenant } from '../helpers/seed.ts'
import { commandLineOn } from '../operator/commandLine.ts'

const server = useTestApp()
const slug = 'fjord-cars'
let partner: Actor
let tenantId: string
let groupId: string

beforeAll(async () => {
  tenantId = await aTenant(server.deps.database, { slug })
  partner = aServer(server, (await aKey(server.deps.database, tenantId)).key)
})
beforeEach(async () => {
  // One vehicle, an hour between two rentals.
  groupId = await aGroup(server.deps.database, tenantId, { turnaroundMinutes: 60 })
})

const on = (time: string) => `2031-06-01T${time}:00Z`

async function isFree(from: string, to: string): Promise<boolean> {
  const range = `from=${on(from)}&to=${on(to)}`
  return expectData(await partner.get(`/asset-groups/${groupId}/availability?${range}`), 200)
    .available
}

async function book(from: string, to: string): Promise<string> {
  const rental = { assetGroupId: groupId, pickupDatetime: on(from), dropoffDatetime: on(to) }
  const quote = expectData(await partner.post('/quotes', rental), 201)
  const booking = await partner.book({ quoteId: quote.quoteId, customer })
  return expectData(booking, 202).bookingId
}

const rental = (...argv: string[]) => commandLineOn(server.databaseUrl)([...argv, '--json'])
const confirm = (id: string, ...more: string[]) => rental('bookings', 'confirm', id, ...more)
const confirmed = { exitCode: 0, error: '' }
const refused = { exitCode: 1, out: '', error: expect.stringMatching(/would overbook/) }

/** Books what staff can't confirm, and has them reject it: pending, it would count as taken. */
async function bookInVain(from: string, to: string): Promise<void> {
  const id = await book(from, to)
  expect(await confirm(id)).toMatchObject(refused)
  expect(await rental('bookings', 'reject', id)).toMatchObject(confirmed)
}

/** The moments at which the audit finds the group overbooked. */
async function overbookedAt(): Promise<string[]> {
  const { overbookings } = JSON.parse((await rental('audit')).out)
  return overbookings
    .filter(({ assetGroup }: { assetGroup: string }) => assetGroup === groupId)
    .map(({ at }: { at: string }) => at)
}

async function statusOf(id: string): Promise<string> {
  return expectData(await partner.get(`/bookings/${id}`), 200).status
}

/** Takes the group's vehicle out of service. */
async function block(from: string, to: string): Promise<void> {
  const { orm } = server.deps.database
  const [vehicle] = await orm.select().from(assets).where(eq(assets.assetGroupId, groupId))
  const period = { startsAt: new Date(on(from)), endsAt: new Date(on(to)) }
  await orm.insert(assetBlocks).values({ tenantId, assetId: vehicle?.id ?? '', ...period })
}

describe('what is free can be confirmed', () => {
  it('beside a confirmed booking: the turnaround must fit in before it, and after it', async () => {
    expect(await confirm(await book('12:00', '14:00'))).toMatchObject(confirmed)
    expect(await isFree('10:00', '12:00')).toBe(false)
    await bookInVain('10:00', '12:00')
    expect(await isFree('14:59', '16:00')).toBe(false)
    await bookInVain('14:59', '16:00')

    expect(await isFree('10:00', '11:00')).toBe(true)
    expect(await isFree('10:00', '11:01')).toBe(false)
    expect(await confirm(await book('10:00', '11:00'))).toMatchObject(confirmed)
    expect(await isFree('15:00', '16:00')).toBe(true)
    expect(await confirm(await book('15:00', '16:00'))).toMatchObject(confirmed)
  })

  it('beside a block: the vehicle must be ready before it is needed elsewhere', async () => {
    await block('12:30', '13:00')
    expect(await isFree('10:00', '12:00')).toBe(false)
    await bookInVain('10:00', '12:00')

    expect(await isFree('10:00', '11:30')).toBe(true)
    expect(await confirm(await book('10:00', '11:30'))).toMatchObject(confirmed)
    // After a block nobody has to prepare the vehicle.
    expect(await isFree('13:00', '14:00')).toBe(true)
    expect(await confirm(await book('13:00', '14:00'))).toMatchObject(confirmed)
  })

  it('unless staff insist: then the vehicle is gone, and the audit says so', async () => {
    await confirm(await book('12:00', '14:00'))
    const forced = await confirm(await book('13:00', '15:00'), '--force')
    expect(JSON.parse(forced.out)).toMatchObject({ status: 'confirmed', forced: true })
    expect(await isFree('15:30', '16:30')).toBe(false)
    expect(await overbookedAt()).toEqual(['2031-06-01T13:00:00.000Z'])
  })

  it('in a group that still rents: one that is archived has nothing to confirm with', async () => {
    const id = await book('12:00', '14:00')
    const { orm } = server.deps.database
    await orm.update(assetGroups).set({ archivedAt: new Date() }).where(eq(assetGroups.id, groupId))
    const range = `from=${on('12:00')}&to=${on('14:00')}`
    const answer = await partner.get(`/asset-groups/${groupId}/availability?${range}`)
    expectError(answer, 404, 'NOT_FOUND')
    expect(await confirm(id)).toMatchObject(refused)
  })
})

describe('a pending booking older than the hold of its tenant', () => {
  const hold = (pendingHoldHours: number | null) =>
    server.deps.database.orm
      .update(tenants)
      .set({ pendingHoldHours })
      .where(eq(tenants.id, tenantId))

  const age = (id: string, minutes: number) =>
    server.deps.database.pool.query(
      `update bookings set created_at = now() - make_interval(mins => $2) where id = $1`,
      [id, minutes],
    )

  async function ofList(id: string) {
    const { out } = await rental('bookings', 'list', '--tenant', slug)
    const listed = JSON.parse(out) as { id: string; short: boolean; contested: boolean }[]
    return listed.find((booking) => booking.id === id)
  }
  const isShort = async (id: string) => (await ofList(id))?.short
  const isContested = async (id: string) => (await ofList(id))?.contested

  it('counts for ever unless the tenant says how long', async () => {
    await hold(null)
    await age(await book('12:00', '14:00'), 10 * 365 * 24 * 60)
    expect(await isFree('12:00', '14:00')).toBe(false)
  })

  it('stops counting, stays pending, and can be confirmed while there is room', async () => {
    await hold(24)
    const id = await book('12:00', '14:00')
    await age(id, 24 * 60 - 5)
    expect(await isFree('12:00', '14:00')).toBe(false)
    await age(id, 24 * 60 + 1)
    expect(await isFree('12:00', '14:00')).toBe(true)
    expect(await statusOf(id)).toBe('pending')
    expect(await isShort(id)).toBe(false)

    expect(await confirm(id)).toMatchObject(confirmed)
    expect(await isFree('12:00', '14:00')).toBe(false)
  })

  it('is short once its place is taken, and is refused', async () => {
    await hold(24)
    const stale = await book('12:00', '14:00')
    await age(stale, 24 * 60 + 1)
    const fresh = await book('13:00', '15:00')
    expect(await isContested(fresh)).toBe(false)
    expect(await isContested(stale)).toBe(true)
    expect(await isShort(stale)).toBe(false)
    expect(await confirm(fresh)).toMatchObject(confirmed)
    expect(await confirm(stale)).toMatchObject(refused)
    expect(await statusOf(stale)).toBe('pending')
    const forced = await confirm(stale, '--force')
    expect(JSON.parse(forced.out)).toMatchObject({ status: 'confirmed', forced: true })
    expect(await isShort(stale)).toBe(true)
    expect(await isShort(fresh)).toBe(true)
  })
})
