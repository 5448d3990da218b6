import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { closeDatabase } from '../../../src/db/connection/database.ts'
import { isDatabaseUnavailable } from '../../../src/db/connection/failures.ts'
import { operatorTimeouts } from '../../../src/db/connection/timeouts.ts'
import { inTransaction } from '../../../src/db/connection/transaction.ts'
import { lockGroup, transitionBooking } from '../../../src/db/queries/bookings/reviewQueries.ts'
import { blockAsset } from '../../../src/services/blockAsset.ts'
import { type Decision, reviewBooking } from '../../../src/services/bookings/reviewBooking.ts'
import { OperatorError } from '../../../src/services/operatorError.ts'
import { lockWaits } from '../../helpers/lockWaits.ts'
import { openPool } from '../../helpers/openPool.ts'
import { actor, monday, useReviewFixtures } from '../../helpers/reviewFixtures.ts'

const fixtures = useReviewFixtures()
const { review, statuses, events } = fixtures

describe('reviewBooking', () => {
  it('confirms a booking and records the actor and the reason', async () => {
    const id = await fixtures.rental.book(...monday)
    const response = { id, previousStatus: 'pending', status: 'confirmed', forced: false }
    const confirmed = await review(id, 'confirm', { reason: ' regular customer ' })
    expect(confirmed).toMatchObject(response)
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

  it('reports the status, actor, local time and alternative when the booking is already confirmed or rejected', async () => {
    const [confirmed, rejected] = [
      await fixtures.rental.book(...monday),
      await fixtures.rental.book(...monday),
    ]
    await review(confirmed, 'confirm')
    await review(rejected, 'reject')
    await fixtures.database.pool.query(`update booking_events set created_at = '2037-06-30 22:30Z'`)
    const by = `(${actor}, 2037-07-01 00:30)`
    for (const [id, decision, message] of [
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
      await expect(review(id, decision)).rejects.toThrow(
        new OperatorError(`Booking ${id} ${message}`),
      )
    }
  })

  it('rejects and cancels bookings and keeps final statuses', async () => {
    const rejected = await fixtures.rental.book(...monday)
    const cancelled = await fixtures.rental.book(...monday)
    await review(rejected, 'reject')
    const { late } = await inTransaction(fixtures.database, async (transaction) => {
      // Events are dated by the status change, not by the start of the transaction.
      await review(cancelled, 'confirm')
      const cancel = (from: 'pending' | 'confirmed') =>
        transitionBooking(
          transaction,
          { tenantId: fixtures.rental.fleet.tenantId, id: cancelled },
          { from, to: 'cancelled', actor, reason: null, forced: false },
        )
      expect([await cancel('pending'), await cancel('confirmed')]).toEqual([false, true])
      const late = review(cancelled, 'cancel').catch((error: unknown) => error)
      await lockWaits(fixtures.database.pool)
      return { late }
    })
    expect(await late).toEqual(
      new OperatorError(
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

  it('accepts a reason of 2000 characters and stores a blank reason as null', async () => {
    const long = '🚗'.repeat(2_000)
    const decide = async (reason: string) =>
      review(await fixtures.rental.book(...monday), 'reject', { reason })
    await expect(decide(`${long}!`)).rejects.toThrow('must have at most 2000 characters')
    await decide(long)
    await decide(' ')
    const { rows } = await fixtures.database.pool.query('select reason from booking_events')
    expect(rows).toEqual(expect.arrayContaining([{ reason: long }, { reason: null }]))
    expect(rows).toHaveLength(2)
  })

  it('rejects the confirmation in an archived asset group as an overbooking', async () => {
    const id = await fixtures.rental.book(...monday)
    await fixtures.database.pool.query('update asset_groups set archived_at = now()')
    await expect(review(id, 'confirm')).rejects.toThrow(/would overbook/)
    expect(await statuses()).toEqual({ pending: 1 })
  })

  it('rejects an unknown booking', async () => {
    await expect(review(randomUUID(), 'confirm')).rejects.toThrow('There is no booking')
  })

  it('does not block quotes and bookings while staff confirm', async () => {
    const tenantId = fixtures.rental.fleet.tenantId
    const assetGroupId = fixtures.rental.fleet.assetGroups[0]?.id ?? ''
    await inTransaction(fixtures.database, async (transaction) => {
      await lockGroup(transaction, { tenantId, assetGroupId })
      // Fails if booking needs the lock, which is held until this transaction ends.
      await fixtures.rental.book(...monday)
    })
    expect(await statuses()).toEqual({ pending: 1 })
  })

  it('during an import, staff can reject a booking, and a confirmation fails with a retryable error', async () => {
    const [bookingId, other] = [
      await fixtures.rental.book(...monday),
      await fixtures.rental.book(...monday),
    ]
    const timeouts = { ...operatorTimeouts, lockMs: 1 }
    const hasty = openPool(fixtures.url, { timeouts })
    const { tenantId, assetGroups } = fixtures.rental.fleet
    const rejected = await inTransaction(fixtures.database, async (transaction) => {
      await lockGroup(transaction, { tenantId, assetGroupId: assetGroups[0]?.id ?? '' })
      const decide = (id: string, decision: Decision) =>
        reviewBooking(hasty, { bookingId: id, decision, actor })
      expect(await decide(other, 'reject')).toMatchObject({ status: 'rejected' })
      return decide(bookingId, 'confirm').catch((error: unknown) => error)
    })
    await closeDatabase(hasty)
    expect(rejected).toEqual(
      new OperatorError(
        'Someone is changing "Economy", perhaps by a fleet import. Try again when that is done.',
      ),
    )
    expect(isDatabaseUnavailable(rejected)).toBe(true)
  })

  it('reports "already confirmed" rather than an overbooking when another confirmation was first', async () => {
    const id = await fixtures.rental.book(...monday)
    await review(await fixtures.rental.book(...monday), 'confirm')
    const { tenantId, assetGroups } = fixtures.rental.fleet
    const { both } = await inTransaction(fixtures.database, async (transaction) => {
      await lockGroup(transaction, { tenantId, assetGroupId: assetGroups[0]?.id ?? '' })
      const both = Promise.allSettled([review(id, 'confirm'), review(id, 'confirm')])
      await lockWaits(fixtures.database.pool, 2)
      return { both }
    })
    const rejected = (await both).find(({ status }) => status === 'rejected')
    expect(rejected).toMatchObject({
      reason: { message: expect.stringMatching(/ is already confirmed \(kari, /) },
    })
  })
})

it('blockAsset waits for a confirmation in progress and counts it', async () => {
  const { tenantId, slug, assetGroups } = fixtures.rental.fleet
  const id = await fixtures.rental.book(...monday)
  const [from, to] = monday.map((at) => () => new Date(at)) as [() => Date, () => Date]
  const { blocking } = await inTransaction(fixtures.database, async (transaction) => {
    await lockGroup(transaction, { tenantId, assetGroupId: assetGroups[0]?.id ?? '' })
    const ref = assetGroups[0]?.assets[0]?.ref ?? ''
    const block = { from, to, reason: undefined, blockedBy: actor }
    const blocking = blockAsset(fixtures.database, { ref, slug }, block, new Date())
    await lockWaits(fixtures.database.pool)
    const move = { from: 'pending', to: 'confirmed', actor, reason: null, forced: false } as const
    await transitionBooking(transaction, { tenantId, id }, move)
    return { blocking }
  })
  expect(await blocking).toMatchObject({ inService: 1, confirmed: 1 })
})
