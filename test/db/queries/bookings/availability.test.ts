import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  countAvailability,
  countOccupancy,
  rentalCounter,
} from '../../../../src/db/queries/bookings/availability.ts'
import { bookingStatuses } from '../../../../src/domain/bookingRules.ts'
import { availableCount } from '../../../../src/domain/occupancy.ts'
import { runs } from '../../../domain/pricing/runs.ts'
import {
  at,
  type History,
  historyOf,
  type Span,
  span,
  writeHistory,
} from '../../../helpers/histories.ts'
import { useTestDatabase } from '../../../helpers/openTestDatabase.ts'
import { aKey, aTenant } from '../../../helpers/seed.ts'

const test = useTestDatabase(beforeAll, 1)
let owner: { tenantId: string; apiKeyId: string }

beforeAll(async () => {
  const tenantId = await aTenant(test.database)
  owner = { tenantId, apiKeyId: (await aKey(test.database, tenantId)).id }
})

/** Counts availability minute by minute, without the interval logic of the query. */
function countByHand(past: History, { start, end }: Span, confirmedOnly: boolean) {
  const { assetCount, turnaroundMinutes, pendingHoldHours, bookings, blocks } = past
  const windowEnd = end + turnaroundMinutes
  const inServiceDuring = (from: number, to: number) => {
    const touching = blocks.filter((block) => block.start < to && from < block.end)
    const blocked = new Set(touching.map(({ asset }) => asset).filter((one) => one < assetCount))
    return assetCount - blocked.size
  }
  const counting = bookings.filter(({ status, ageHours }) => {
    if (status === 'confirmed') return true
    if (status !== 'pending' || confirmedOnly) return false
    return pendingHoldHours === null || ageHours < pendingHoldHours
  })
  const short: number[] = []
  const soldOutMinutes = new Set<number>()
  let peak = 0
  for (let minute = start; minute < windowEnd; minute += 1) {
    const held = counting.filter(
      (booking) => booking.start <= minute && minute < booking.end + turnaroundMinutes,
    )
    peak = Math.max(peak, held.length)
    if (held.length >= inServiceDuring(minute, minute + 1)) {
      // A rental that ends within the turnaround before this minute has its turnaround in it.
      for (let ago = 0; ago <= turnaroundMinutes; ago += 1) soldOutMinutes.add(minute - ago)
    }
    for (const booking of held) {
      const vehicles = inServiceDuring(booking.start, booking.end + turnaroundMinutes)
      if (held.length + 1 > vehicles) short.push(booking.start)
    }
  }
  const inService = inServiceDuring(start, windowEnd)
  const isShort = inService > peak && short.length > 0
  if (isShort) shortWindows += 1
  const shortPickup = isShort ? at(Math.min(...short)) : null
  const read = counting.filter(
    (booking) => booking.start < windowEnd && start < booking.end + turnaroundMinutes,
  )
  const soldOut = periodsOf(soldOutMinutes)
  return { total: assetCount, bookingCount: read.length, inService, peak, shortPickup, soldOut }

  function periodsOf(minutes: ReadonlySet<number>) {
    const periods: { from: Date; to: Date }[] = []
    let last = Number.NEGATIVE_INFINITY
    for (let minute = start; minute < end; minute += 1) {
      if (!minutes.has(minute)) continue
      // A gap of less than an hour holds no rental.
      const from = minute - last < 60 ? periods.pop()?.from : undefined
      periods.push({ from: from ?? at(minute), to: at(minute + 1) })
      last = minute + 1
    }
    return periods
  }
}

/** Windows that leave a booking beside a block without a vehicle. */
let shortWindows = 0

const minuteOf = (time: Date) => (time.getTime() - at(0).getTime()) / 60_000

const count = (groupId: string, { start, end }: Span, confirmedOnly = false) =>
  countAvailability(test.database, owner.tenantId, groupId, {
    from: at(start),
    to: at(end),
    confirmedOnly,
  })

const isFree = async (groupId: string, rental: Span) => {
  const counted = await count(groupId, rental)
  return counted !== undefined && availableCount(counted) > 0
}

describe('countAvailability', () => {
  it('finds no vehicle for a rental of an hour or more that overlaps a sold-out period', async () => {
    let soldOutRentals = 0
    const range = { start: -120, end: 900 }
    const rental = fc
      .tuple(fc.integer({ min: -240, max: 960 }), fc.integer({ min: 60, max: 240 }))
      .map(([start, length]) => ({ start, end: start + length }))
    const rentals = fc.array(rental, { minLength: 20, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(historyOf(...bookingStatuses), rentals, async (past, wanted) => {
        const groupId = await writeHistory(test.database, owner, past)
        const { soldOut = [] } = (await count(groupId, range)) ?? {}
        for (const [index, { from, to }] of soldOut.entries()) {
          expect(from < to).toBe(true)
          const gapMs =
            from.getTime() - (soldOut[index - 1]?.to.getTime() ?? Number.NEGATIVE_INFINITY)
          expect(gapMs).toBeGreaterThanOrEqual(3_600_000)
        }
        // The shortest rentals that touch a period by a minute, at each of its ends.
        const touching = soldOut.flatMap(({ from, to }) => [
          { start: minuteOf(from) - 59, end: minuteOf(from) + 1 },
          { start: minuteOf(to) - 1, end: minuteOf(to) + 59 },
        ])
        for (const one of [...touching, ...wanted]) {
          const overlaps = ({ from, to }: { from: Date; to: Date }) =>
            from < at(one.end) && at(one.start) < to
          if (!soldOut.some(overlaps)) continue
          soldOutRentals += 1
          expect(await isFree(groupId, one)).toBe(false)
        }
      }),
      runs('a rental that overlaps a sold-out period finds no vehicle', 60),
    )
    expect(soldOutRentals).toBeGreaterThan(100)
  })

  it.each([
    ['is one period for a group without vehicles', 0, [[0, 600]]],
    ['begins a turnaround before the booking and ends with its turnaround', 1, [[90, 270]]],
    ['is empty while a vehicle is free', 2, []],
  ])('%s', async (_title, assetCount, periods) => {
    const booking = { start: 120, end: 240, status: 'pending', ageHours: 0 } as const
    const past = { ...quiet, assetCount, turnaroundMinutes: 30, bookings: [booking] }
    const groupId = await writeHistory(test.database, owner, past)
    const counted = await count(groupId, { start: 0, end: 600 })
    expect(counted?.soldOut).toEqual(
      periods.map(([from = 0, to = 0]) => ({ from: at(from), to: at(to) })),
    )
  })

  it.each([
    ['a few', 1, 300],
    ['hundreds of', 60, 20],
  ])('agrees with a minute-by-minute count of %s bookings', async (many, histories, wanted) => {
    const history = fc
      .array(historyOf(...bookingStatuses), { minLength: histories, maxLength: histories })
      .map((merged) => ({
        ...(merged[0] ?? quiet),
        bookings: merged.flatMap(({ bookings }) => bookings),
      }))
    const windows = fc.array(span, { minLength: 3, maxLength: 3 })
    shortWindows = 0
    await fc.assert(
      fc.asyncProperty(history, windows, async (past, periods) => {
        const groupId = await writeHistory(test.database, owner, past)
        for (const window of periods) {
          expect(await count(groupId, window)).toEqual(countByHand(past, window, false))
          expect(await count(groupId, window, true)).toEqual(countByHand(past, window, true))
        }
        const { turnaroundMinutes } = past
        const rentals = periods.map(({ start, end }) => {
          return { groupId, from: at(start), to: at(end + turnaroundMinutes) }
        })
        expect(await countOccupancy(test.database, owner.tenantId, rentals)).toEqual(
          periods.map((window) => {
            const { inService, peak } = countByHand(past, window, true)
            return { inService, confirmed: peak, held: countByHand(past, window, false).peak }
          }),
        )
      }),
      runs(`availability agrees with a minute-by-minute count of ${many} bookings`, wanted),
    )
    if (many === 'a few') expect(shortWindows).toBeGreaterThan(3)
  })
})

describe('rentalCounter', () => {
  const booking = { start: 0, end: 60, status: 'pending', ageHours: 0 } as const
  it.each([
    ['counts a month of a group that had 500 bookings at once', true, 32, 500, 'counted'],
    ['counts a month of a busier group in the share of the key', true, 32, 501, 'waits'],
    ['counts a longer range in the share of the key', true, 33, 0, 'waits'],
    ['counts an unknown group in the share of the key', false, 32, 0, 'waits'],
  ])('%s', async (_title, isKnown, days, bookings, expected) => {
    const { database } = test
    const countRental = rentalCounter(database)
    const past = { ...quiet, bookings: Array.from({ length: bookings }, () => booking) }
    const groupId = await writeHistory(database, owner, past)
    const { tenantId, apiKeyId } = owner
    const to = at(days * 1_440)
    const monthOf = () => countRental(apiKeyId, tenantId, groupId, { from: at(0), to })
    if (isKnown) await countRental(apiKeyId, tenantId, groupId, { from: at(0), to: at(1_440) })
    let release = () => {}
    const held = database.shares(
      apiKeyId,
      () => new Promise<void>((resolve) => (release = resolve)),
    )
    let outcome = 'waits'
    const counting = monthOf().then((counted) => {
      outcome = 'counted'
      return counted
    })
    for (let n = 0; n < 10; n += 1) await database.reads.pool.query({ text: 'select 1' })
    expect(outcome).toBe(expected)
    release()
    await held
    expect(await counting).toMatchObject({ bookingCount: bookings, total: 1 })
  })
})

const quiet: History = {
  assetCount: 1,
  turnaroundMinutes: 0,
  pendingHoldHours: null,
  bookings: [],
  blocks: [],
}
