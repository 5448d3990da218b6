import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import type { Database } from '../../src/db/connection/database.ts'
import { assetBlocks, assets, tenants } from '../../src/db/schema/index.ts'
import type { BookingStatus } from '../../src/domain/bookingRules.ts'
import { aGroup } from './seed.ts'
import { seedBookings } from './seedBookings.ts'

const hourMs = 3_600_000

/** A half-open interval in minutes: `end` is not part of it. */
export interface Span {
  readonly start: number
  readonly end: number
}

interface PastBooking extends Span {
  readonly status: BookingStatus
  readonly ageHours: number
}

/** The bookings and blocks of a group, in minutes. */
export interface History {
  readonly assetCount: number
  readonly turnaroundMinutes: number
  readonly pendingHoldHours: number | null
  readonly bookings: readonly PastBooking[]
  readonly blocks: readonly (Span & { readonly asset: number })[]
}

export const at = (minute: number) => new Date(Date.UTC(2038, 5, 1, 0, minute))

/** Times near half hours, so that spans often touch or miss each other by a minute. */
const nearHalfHour = (slotMin: number, slotMax: number) =>
  fc
    .tuple(fc.integer({ min: slotMin, max: slotMax }), fc.constantFrom(0, 0, 0, -1, 1))
    .map(([slot, minutes]) => slot * 30 + minutes)

export const span: fc.Arbitrary<Span> = fc
  .tuple(nearHalfHour(0, 20), nearHalfHour(1, 6))
  .map(([start, length]) => ({ start, end: start + length }))

/** Returns an arbitrary for histories with bookings in the given statuses. */
export function historyOf(...statuses: readonly BookingStatus[]): fc.Arbitrary<History> {
  const booking = fc
    .tuple(span, fc.constantFrom(...statuses), fc.constantFrom(0, 23, 25, 47, 49))
    .map(([period, status, ageHours]) => ({ ...period, status, ageHours }))
  const block = fc.tuple(span, fc.nat(3)).map(([period, asset]) => ({ ...period, asset }))
  return fc.record({
    assetCount: fc.integer({ min: 0, max: 4 }),
    turnaroundMinutes: fc.constantFrom(0, 1, 29, 30, 31, 60, 90),
    pendingHoldHours: fc.constantFrom(null, 24, 48),
    bookings: fc.array(booking, { maxLength: 10 }),
    blocks: fc.array(block, { maxLength: 3 }),
  })
}

/** Inserts a history for a new group and returns the group's ID. */
export async function writeHistory(
  database: Database,
  owner: { readonly tenantId: string; readonly apiKeyId: string },
  { assetCount, turnaroundMinutes, pendingHoldHours, bookings, blocks }: History,
): Promise<string> {
  const { orm } = database
  const { tenantId } = owner
  await orm.update(tenants).set({ pendingHoldHours }).where(eq(tenants.id, tenantId))
  const group = { assets: assetCount, turnaroundMinutes, rate: null }
  const assetGroupId = await aGroup(database, tenantId, group)
  const fleet = await orm.select().from(assets).where(eq(assets.assetGroupId, assetGroupId))
  const ofVehicles = blocks.flatMap(({ asset, start, end }) => {
    const assetId = fleet[asset]?.id
    return assetId === undefined
      ? []
      : [{ tenantId, assetId, startsAt: at(start), endsAt: at(end) }]
  })
  // An archived vehicle with a block, which must not affect the counts.
  const sold = {
    tenantId,
    assetGroupId,
    ref: `sold ${assetGroupId}`,
    foldedRef: assetGroupId,
    archivedAt: new Date(),
  }
  const [{ id: assetId = '' } = {}] = await orm.insert(assets).values(sold).returning()
  const blocked = { tenantId, assetId, startsAt: at(0), endsAt: at(10_000) }
  await orm.insert(assetBlocks).values([blocked, ...ofVehicles])
  const now = Date.now()
  const made = bookings.map(({ start, end, status, ageHours }) => ({
    pickupAt: at(start),
    dropoffAt: at(end),
    status,
    createdAt: new Date(now - ageHours * hourMs),
  }))
  await seedBookings(database, { ...owner, assetGroupId }, made)
  return assetGroupId
}
