import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { tenants } from '../../../src/db/schema/index.ts'
import { commandLineOn } from '../../cli/commandLine.ts'
import { type Actor, aServer, customer } from '../../helpers/actors.ts'
import { useTestApp } from '../../helpers/app.ts'
import { expectData } from '../../helpers/responses.ts'
import { aGroup, aKey, aTenant } from '../../helpers/seed.ts'

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
  // One vehicle with an hour of turnaround.
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
const rejected = { exitCode: 1, out: '', error: expect.stringMatching(/would overbook/) }

async function statusOf(id: string): Promise<string> {
  return expectData(await partner.get(`/bookings/${id}`), 200).status
}

describe('pending booking older than pendingHoldHours', () => {
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

  it('counts a pending booking indefinitely when pendingHoldHours is null', async () => {
    await hold(null)
    await age(await book('12:00', '14:00'), 10 * 365 * 24 * 60)
    expect(await isFree('12:00', '14:00')).toBe(false)
  })

  it('stops counting a pending booking after pendingHoldHours and confirms the booking while a vehicle is free', async () => {
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

  it('rejects the confirmation of an old pending booking without --force when no vehicle is free', async () => {
    await hold(24)
    const stale = await book('12:00', '14:00')
    await age(stale, 24 * 60 + 1)
    const fresh = await book('13:00', '15:00')
    expect(await isContested(fresh)).toBe(false)
    expect(await isContested(stale)).toBe(true)
    expect(await isShort(stale)).toBe(false)
    expect(await confirm(fresh)).toMatchObject(confirmed)
    expect(await confirm(stale)).toMatchObject(rejected)
    expect(await statusOf(stale)).toBe('pending')
    const forced = await confirm(stale, '--force')
    expect(JSON.parse(forced.out)).toMatchObject({ status: 'confirmed', forced: true })
    expect(await isShort(stale)).toBe(true)
    expect(await isShort(fresh)).toBe(true)
  })
})
