import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { closeDatabase, openDatabase } from '../../src/db/client.ts'
import { isDatabaseUnavailable } from '../../src/db/failures.ts'
import { lockGroup, moveBooking } from '../../src/db/review.ts'
import { operatorTimeouts } from '../../src/db/timeouts.ts'
import { inTransaction } from '../../src/db/transaction.ts'
import { blockAsset } from '../../src/services/blockAsset.ts'
import { Refusal } from '../../src/services/refusal.ts'
import { type Decision, reviewBooking } from '../../src/services/reviewBooking.ts'
import { fleetOf } from '../helpers/fleet.ts'
import { type OpenTestDatabase, openTestDatabase } from '../helpers/openTestDatabase.ts'
import { openRental, type Rental } from '../helpers/rental.ts'
import { waitFor } from '../helpers/waitFor.ts'

const parallel = 50
// Fifty that wait for one lock, on a machine with other work: none is to give up.
const patient = { ...operatorTimeouts, lockMs: 60_000 }

let test: OpenTestDatabase
let rental: Rental
beforeEach(async () => {
  test = await openTestDatabase(parallel, patient)
  // Two vehicles and an hour between two rentals.
  rental = await openRental(test.database, fleetOf(2))
})
afterEach(() => test.drop())

const monday = ['2038-03-01T10:00:00Z', '2038-03-02T10:00:00Z'] as const
const actor = 'kari'
const patienceMs = 30_000
const waiting = `select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

function review(
  bookingId: string,
  decision: Decision,
  more: { force?: boolean; reason?: string } = {},
) {
  return reviewBooking(test.database, { bookingId, decision, actor, ...more })
}

async function statuses(): Promise<Record<string, number>> {
  const { rows } = await test.database.pool.query<{ status: string; count: number }>(
    'select status, count(*)::int as count from bookings group by status',
  )
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

async function events() {
  const columns = 'from_status, to_status, actor, reason, forced'
  return (
    await test.database.pool.query(`select ${columns} from booking_events order by created_at`)
  ).rows
}

describe('staff', () => {
  it('confirm a booking, and the decision is kept with who made it and why', async () => {
    const id = await rental.book(...monday)
    const answer = { id, previousStatus: 'pending', status: 'confirmed', forced: false }
    const confirmed = await review(id, 'confirm', { reason: ' regular customer ' })
    expect(confirmed).toMatchObject(answer)
    expect(await events()).toEqual([
      {
        from_status: 'pending',
        to_status: 'confirmed',
        actor,
        reason: 'regular customer',
        forced: false,
      },
    ])
  })

  it('are told who was faster and when on the tenant’s clock, and what they can do instead', async () => {
    const [confirmed, rejected] = [await rental.book(...monday), await rental.book(...monday)]
    await review(confirmed, 'confirm')
    await review(rejected, 'reject')
    await test.database.pool.query(`update booking_events set created_at = '2037-06-30 22:30Z'`)
    const by = `(${actor}, 2037-07-01 00:30)`
    for (const [id, decision, said] of [
      [confirmed, 'confirm', `is already confirmed ${by}.`],
      [
        confirmed,
        'reject',
        `is confirmed: it can't be rejected ${by}. ` +
          `Cancel it instead: rental bookings cancel ${confirmed.slice(0, 8)}.`,
      ],
      [
        rejected,
        'cancel',
        `is rejected: it can't be cancelled ${by}. ` +
          'That is final: the customer has to book again.',
      ],
    ] as const) {
      await expect(review(id, decision)).rejects.toThrow(new Refusal(`Booking ${id} ${said}`))
    }
  })

  it('reject and cancel, and what is final stays', async () => {
    const rejected = await rental.book(...monday)
    const cancelled = await rental.book(...monday)
    await review(rejected, 'reject')
    const { late } = await inTransaction(test.database, async (transaction) => {
      // Dated when it moved, and moved from what it was then, whichever transaction began first.
      await review(cancelled, 'confirm')
      const cancel = (from: 'pending' | 'confirmed') =>
        moveBooking(
          transaction,
          { tenantId: rental.fleet.tenantId, id: cancelled },
          { from, to: 'cancelled', actor, reason: null, forced: false },
        )
      expect([await cancel('pending'), await cancel('confirmed')]).toEqual([false, true])
      const late = review(cancelled, 'cancel').catch((error: unknown) => error)
      await waitFor(
        async () => (await test.database.pool.query(waiting)).rowCount === 1,
        patienceMs,
      )
      return { late }
    })
    expect(await late).toEqual(
      new Refusal(
        `Booking ${cancelled} has just been changed by someone else. Check it and try again.`,
      ),
    )
    await expect(review(rejected, 'confirm')).rejects.toThrow(/is rejected: it can't be confirmed/)
    await expect(review(cancelled, 'cancel')).rejects.toThrow(/is already cancelled/)
    expect(await statuses()).toEqual({ rejected: 1, cancelled: 1 })
    expect(await events()).toMatchObject(
      ['rejected', 'confirmed', 'cancelled'].map((to_status) => ({ to_status, reason: null })),
    )
  })

  it('may give a reason of two thousand characters, of any script; a blank one is none', async () => {
    const long = '🚗'.repeat(2_000)
    const decide = async (reason: string) =>
      review(await rental.book(...monday), 'reject', { reason })
    await expect(decide(`${long}!`)).rejects.toThrow('must have at most 2000 characters')
    await decide(long)
    await decide(' ')
    const { rows } = await test.database.pool.query('select reason from booking_events')
    expect(rows).toEqual(expect.arrayContaining([{ reason: long }, { reason: null }]))
    expect(rows).toHaveLength(2)
  })

  it('confirm nothing in a group that was archived: its vehicles are nobody’s to drive', async () => {
    const id = await rental.book(...monday)
    await test.database.pool.query('update asset_groups set archived_at = now()')
    await expect(review(id, 'confirm')).rejects.toThrow(/would overbook/)
    expect(await statuses()).toEqual({ pending: 1 })
  })

  it('are told of an unknown booking', async () => {
    await expect(review(randomUUID(), 'confirm')).rejects.toThrow('There is no booking')
  })

  it('keep no customer waiting: quotes and bookings go on while they confirm', async () => {
    const tenantId = rental.fleet.tenantId
    const assetGroupId = rental.fleet.assetGroups[0]?.id ?? ''
    await inTransaction(test.database, async (transaction) => {
      await lockGroup(transaction, { tenantId, assetGroupId })
      // Would fail for the lock, which nobody lets go before this is done.
      await rental.book(...monday)
    })
    expect(await statuses()).toEqual({ pending: 1 })
  })

  it('hear that an import is under way, unless they reject; programs take it for trouble that passes', async () => {
    const [bookingId, other] = [await rental.book(...monday), await rental.book(...monday)]
    const timeouts = { ...operatorTimeouts, lockMs: 1 }
    const options = { url: test.url, poolMax: 1, preparedStatements: true, timeouts }
    const hasty = openDatabase({ ...options, onConnectionLost() {} })
    const { tenantId, assetGroups } = rental.fleet
    const refused = await inTransaction(test.database, async (transaction) => {
      await lockGroup(transaction, { tenantId, assetGroupId: assetGroups[0]?.id ?? '' })
      const decide = (id: string, decision: Decision) =>
        reviewBooking(hasty, { bookingId: id, decision, actor })
      expect(await decide(other, 'reject')).toMatchObject({ status: 'rejected' })
      return decide(bookingId, 'confirm').catch((error: unknown) => error)
    })
    await closeDatabase(hasty)
    expect(refused).toEqual(
      new Refusal(
        'Someone is changing "Economy", perhaps by a fleet import. Try again when that is done.',
      ),
    )
    expect(isDatabaseUnavailable(refused)).toBe(true)
  })

  it('hear that the database is away while they wait, and nothing of an import', async () => {
    const id = await rental.book(...monday)
    const { tenantId, assetGroups } = rental.fleet
    const { confirming } = await inTransaction(test.database, async (transaction) => {
      await lockGroup(transaction, { tenantId, assetGroupId: assetGroups[0]?.id ?? '' })
      const confirming = expect(review(id, 'confirm')).rejects.not.toBeInstanceOf(Refusal)
      const end = waiting.replace('select', 'select pg_terminate_backend(pid)')
      await waitFor(async () => (await test.database.pool.query(end)).rowCount === 1, patienceMs)
      return { confirming }
    })
    await confirming
  })

  it('decide about one booking once when two do so at the same time', async () => {
    const id = await rental.book(...monday)
    const outcomes = await Promise.allSettled([
      review(id, 'confirm'),
      review(id, 'reject'),
      review(id, 'confirm'),
      review(id, 'reject'),
    ])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await events()).toHaveLength(1)
  })

  it('hear that somebody else confirmed it while they waited, not that it would overbook', async () => {
    const id = await rental.book(...monday)
    await review(await rental.book(...monday), 'confirm')
    const { tenantId, assetGroups } = rental.fleet
    const { both } = await inTransaction(test.database, async (transaction) => {
      await lockGroup(transaction, { tenantId, assetGroupId: assetGroups[0]?.id ?? '' })
      const both = Promise.allSettled([review(id, 'confirm'), review(id, 'confirm')])
      await waitFor(
        async () => (await test.database.pool.query(waiting)).rowCount === 2,
        patienceMs,
      )
      return { both }
    })
    const refused = (await both).find(({ status }) => status === 'rejected')
    expect(refused).toMatchObject({
      reason: { message: expect.stringMatching(/ is already confirmed \(kari, /) },
    })
  })
})

it('a vehicle is not taken out of service behind the back of a confirmation', async () => {
  const { tenantId, slug, assetGroups } = rental.fleet
  const id = await rental.book(...monday)
  const [from, to] = monday.map((at) => () => new Date(at)) as [() => Date, () => Date]
  const { blocking } = await inTransaction(test.database, async (transaction) => {
    await lockGroup(transaction, { tenantId, assetGroupId: assetGroups[0]?.id ?? '' })
    const ref = assetGroups[0]?.assets[0]?.ref ?? ''
    const block = { from, to, reason: undefined, blockedBy: actor }
    const blocking = blockAsset(test.database, { ref, slug }, block, new Date())
    await waitFor(async () => (await test.database.pool.query(waiting)).rowCount === 1, patienceMs)
    const move = { from: 'pending', to: 'confirmed', actor, reason: null, forced: false } as const
    await moveBooking(transaction, { tenantId, id }, move)
    return { blocking }
  })
  expect(await blocking).toMatchObject({ inService: 1, confirmed: 1 })
})

describe('an overbooking', () => {
  it('is refused with the count, unless it is forced, which is recorded', async () => {
    for (const _ of [1, 2]) await review(await rental.book(...monday), 'confirm')
    const third = await rental.book(...monday)
    const short = third.slice(0, 8)
    await expect(review(third, 'confirm')).rejects.toThrow(
      new Refusal(
        `Booking ${short} would overbook "Economy": from 2038-03-01 11:00 to 2038-03-02 11:00 ` +
          '(Europe/Oslo), plus 60 minutes of turnaround, it has 2 vehicles in service and 2 ' +
          `confirmed bookings. To confirm it anyway: \`rental bookings confirm ${short} --force\`.`,
      ),
    )
    expect(await statuses()).toEqual({ confirmed: 2, pending: 1 })
    expect(await review(third, 'confirm', { force: true })).toEqual({
      ...{ id: third, tenantId: rental.fleet.tenantId },
      ...{ previousStatus: 'pending', status: 'confirmed', forced: true },
    })
    await expect(review(await rental.book(...monday), 'confirm')).rejects.toThrow(
      'it has 2 vehicles in service and 3 confirmed bookings.',
    )
    expect((await events()).map(({ forced }) => forced)).toEqual([false, false, true])
  })

  it('is on record only where there was one, whatever was forced', async () => {
    const id = await rental.book(...monday)
    expect(await review(id, 'confirm', { force: true })).toMatchObject({ forced: false })
    expect(await review(id, 'cancel', { force: true })).toMatchObject({ forced: false })
    expect((await events()).map(({ forced }) => forced)).toEqual([false, false])
  })

  it('begins within the turnaround, on either side, and not after it', async () => {
    for (const _ of [1, 2]) await review(await rental.book(...monday), 'confirm')
    const tooSoon = await rental.book('2038-03-02T10:59:00Z', '2038-03-02T20:00:00Z')
    await expect(review(tooSoon, 'confirm')).rejects.toThrow(
      /would overbook .* plus 60 minutes of turnaround, it has 2 vehicles in service and 2 confirmed/,
    )
    const tooLate = await rental.book('2038-02-28T10:00:00Z', '2038-03-01T09:01:00Z')
    await expect(review(tooLate, 'confirm')).rejects.toThrow(/overbook/)
    await review(await rental.book('2038-03-02T11:00:00Z', '2038-03-02T20:00:00Z'), 'confirm')
    await review(await rental.book('2038-02-28T10:00:00Z', '2038-03-01T09:00:00Z'), 'confirm')
  })

  it('is not seen in bookings that are only pending or cancelled', async () => {
    const first = await rental.book(...monday)
    await review(first, 'confirm')
    await review(first, 'cancel')
    for (const _ of [1, 2, 3]) await rental.book(...monday)
    for (const _ of [1, 2]) await review(await rental.book(...monday), 'confirm')
  })

  it('happens to nobody when fifty confirm at once', async () => {
    await review(await rental.book(...monday), 'confirm')
    const ids: string[] = []
    for (let index = 0; index < parallel; index += 1) ids.push(await rental.book(...monday))
    const outcomes = await Promise.allSettled(ids.map((id) => review(id, 'confirm')))
    const refusals = outcomes.flatMap((one) =>
      one.status === 'rejected' ? [String(one.reason)] : [],
    )
    expect(refusals).toHaveLength(parallel - 1)
    for (const refusal of refusals) expect(refusal).toMatch(/overbook/)
    expect(await statuses()).toEqual({ confirmed: 2, pending: parallel - 1 })
  })
})
