import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countAvailability } from '../../src/db/availability.ts'
import { assetBlocks, assets } from '../../src/db/schema.ts'
import { type BookingStatus, bookingStatuses } from '../../src/domain/bookings.ts'
import { runs } from '../domain/runs.ts'
import { type OpenTestDatabase, openTestDatabase } from '../helpers/openTestDatabase.ts'
import { aGroup, aKey, aTenant } from '../helpers/seed.ts'
import { seedBookings } from '../helpers/seedBookings.ts'
import { waitFor } from '../helpers/waitFor.ts'

/** One connection, so that the statistics read below are those of the query before them. */
let test: OpenTestDatabase
let owner: { tenantId: string; apiKeyId: string }

beforeAll(async () => {
  test = await openTestDatabase(1)
  const tenantId = await aTenant(test.database)
  owner = { tenantId, apiKeyId: (await aKey(test.database, tenantId)).id }
})
afterAll(() => test.drop())

/** Histories live on a grid of half hours, so that periods often touch. */
const stepMinutes = 30
const steps = 40
const at = (step: number) => new Date(Date.UTC(2027, 5, 1) + step * stepMinutes * 60_000)

interface Span {
  readonly start: number
  readonly end: number
}
interface History {
  readonly assetCount: number
  readonly turnaroundSteps: number
  readonly bookings: readonly (Span & { readonly status: BookingStatus })[]
  readonly blocks: readonly (Span & { readonly asset: number })[]
  readonly windows: readonly Span[]
}

const span = fc
  .tuple(fc.nat(steps - 1), fc.integer({ min: 1, max: 12 }))
  .map(([start, length]) => ({ start, end: start + length }))
const history: fc.Arbitrary<History> = fc.record({
  assetCount: fc.integer({ min: 0, max: 4 }),
  turnaroundSteps: fc.nat(3),
  bookings: fc.array(
    fc
      .tuple(span, fc.constantFrom(...bookingStatuses))
      .map(([period, status]) => ({ ...period, status })),
    { maxLength: 12 },
  ),
  blocks: fc.array(
    fc.tuple(span, fc.nat(3)).map(([period, asset]) => ({ ...period, asset })),
    { maxLength: 3 },
  ),
  windows: fc.array(span, { minLength: 3, maxLength: 3 }),
})

/** Counts half hour by half hour, the way a person with a calendar on the wall would. */
function countByHand({ assetCount, turnaroundSteps, bookings, blocks }: History, window: Span) {
  const blocked = blocks.filter(({ start, end }) => start < window.end && end > window.start)
  const out = new Set(blocked.map(({ asset }) => asset).filter((asset) => asset < assetCount))
  let peak = 0
  for (let step = window.start; step < window.end; step += 1) {
    const held = bookings.filter(
      ({ start, end, status }) =>
        (status === 'pending' || status === 'confirmed') &&
        start <= step &&
        step < end + turnaroundSteps,
    )
    peak = Math.max(peak, held.length)
  }
  return { total: assetCount, inService: assetCount - out.size, peak }
}

async function writeHistory(past: History): Promise<string> {
  const { orm } = test.database
  const assetGroupId = await aGroup(test.database, owner.tenantId, {
    assets: past.assetCount,
    turnaroundMinutes: past.turnaroundSteps * stepMinutes,
    rate: null,
  })
  const fleet = await orm.select().from(assets).where(eq(assets.assetGroupId, assetGroupId))
  const blocks = past.blocks.flatMap(({ asset, start, end }) => {
    const assetId = fleet[asset]?.id
    const block = { tenantId: owner.tenantId, startsAt: at(start), endsAt: at(end) }
    return assetId === undefined ? [] : [{ ...block, assetId }]
  })
  if (blocks.length > 0) await orm.insert(assetBlocks).values(blocks)
  await seedBookings(
    test.database,
    { ...owner, assetGroupId },
    past.bookings.map(({ start, end, status }) => ({
      pickupAt: at(start),
      dropoffAt: at(end),
      status,
    })),
  )
  return assetGroupId
}

const count = (groupId: string, { start, end }: Span) =>
  countAvailability(test.database, owner.tenantId, groupId, { from: at(start), to: at(end) })

describe('counting availability', () => {
  it('agrees with counting by hand on random histories', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (past) => {
        const groupId = await writeHistory(past)
        for (const window of past.windows) {
          expect(await count(groupId, window)).toEqual(countByHand(past, window))
        }
      }),
      runs('availability agrees with counting by hand'),
    )
  }, 60_000)

  it('is right among 10,000 bookings, and finds its own by the index', async () => {
    const bookings = Array.from({ length: 10_000 }, (_, n) => {
      const start = (n * 7) % 20_000
      return { start, end: start + 3 + (n % 45), status: bookingStatuses[n % 4] ?? 'pending' }
    })
    const past = { assetCount: 50, turnaroundSteps: 1, bookings, blocks: [], windows: [] }
    const groupId = await writeHistory(past)
    await test.database.pool.query('analyze bookings')
    const before = await scans()
    for (const start of [0, 5_000, 12_345]) {
      const window = { start, end: start + 48 }
      expect(await count(groupId, window)).toEqual(countByHand(past, window))
    }
    const after = await waitFor(async () => {
      const now = await scans()
      return now.byIndex >= before.byIndex + 3 && now
    }, 5_000)
    expect(after.sequential).toBe(before.sequential)
  })
})

async function scans(): Promise<{ sequential: number; byIndex: number }> {
  await test.database.pool.query('select pg_stat_force_next_flush()')
  const { rows } = await test.database.pool.query(`
    select t.seq_scan::int as sequential,
      (select idx_scan::int from pg_stat_user_indexes where indexrelname = 'bookings_overlap_idx')
        as "byIndex"
    from pg_stat_user_tables t where t.relname = 'bookings'`)
  return rows[0]
}
