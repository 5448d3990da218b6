import { describe, expect, it } from 'vitest'
import { bookingPage } from '../../../src/cli/terminal/bookingPage.ts'
import { countAvailability } from '../../../src/db/queries/bookings/availability.ts'
import { availableCount } from '../../../src/domain/occupancy.ts'
import { blockAsset } from '../../../src/services/blockAsset.ts'
import { listBookings } from '../../../src/services/bookings/listBookings.ts'
import { showBooking } from '../../../src/services/bookings/showBooking.ts'
import { OperatorError } from '../../../src/services/operatorError.ts'
import { monday, parallel, useReviewFixtures } from '../../helpers/reviewFixtures.ts'

const fixtures = useReviewFixtures()
const { review, statuses, events } = fixtures

describe('reviewBooking on an overbooking', () => {
  it('rejects a confirmation that overbooks and prints the counts; accepts it with --force and records that', async () => {
    for (const _ of [1, 2]) await review(await fixtures.rental.book(...monday), 'confirm')
    const third = await fixtures.rental.book(...monday)
    const short = third.slice(0, 8)
    await expect(review(third, 'confirm')).rejects.toThrow(
      new OperatorError(
        `Booking ${short} would overbook "Economy": from 2038-03-01 11:00 to 2038-03-02 11:00 ` +
          '(Europe/Oslo), plus 60 minutes of turnaround, it has 2 vehicles in service and 2 ' +
          `confirmed bookings. To confirm it anyway: \`rental bookings confirm ${short} --force\`.`,
      ),
    )
    expect(await statuses()).toEqual({ confirmed: 2, pending: 1 })
    const confirmed = { previousStatus: 'pending', status: 'confirmed', forced: true }
    expect(await review(third, 'confirm', { force: true })).toMatchObject(confirmed)
    await expect(review(await fixtures.rental.book(...monday), 'confirm')).rejects.toThrow(
      'it has 2 vehicles in service and 3 confirmed bookings.',
    )
    expect((await events()).map(({ forced }) => forced)).toEqual([false, false, true])
  })

  it('records a confirmation as forced only when there is an overbooking', async () => {
    const id = await fixtures.rental.book(...monday)
    expect(await review(id, 'confirm', { force: true })).toMatchObject({ forced: false })
    expect(await review(id, 'cancel', { force: true })).toMatchObject({ forced: false })
    expect((await events()).map(({ forced }) => forced)).toEqual([false, false])
  })

  it('records each overbooking of concurrent forced confirmations', async () => {
    const ids: string[] = []
    for (let index = 0; index < parallel; index += 1)
      ids.push(await fixtures.rental.book(...monday))
    await Promise.all(ids.map((id) => review(id, 'confirm', { force: true })))
    // There were two vehicles.
    expect((await events()).filter(({ forced }) => forced)).toHaveLength(parallel - 2)
  })

  it('rejects an overbooking within the turnaround on either side and none beyond', async () => {
    for (const _ of [1, 2]) await review(await fixtures.rental.book(...monday), 'confirm')
    const tooSoon = await fixtures.rental.book('2038-03-02T10:59:00Z', '2038-03-02T20:00:00Z')
    await expect(review(tooSoon, 'confirm')).rejects.toThrow(
      /would overbook .* plus 60 minutes of turnaround, it has 2 vehicles in service and 2 confirmed/,
    )
    const tooLate = await fixtures.rental.book('2038-02-28T10:00:00Z', '2038-03-01T09:01:00Z')
    await expect(review(tooLate, 'confirm')).rejects.toThrow(/overbook/)
    await review(
      await fixtures.rental.book('2038-03-02T11:00:00Z', '2038-03-02T20:00:00Z'),
      'confirm',
    )
    await review(
      await fixtures.rental.book('2038-02-28T10:00:00Z', '2038-03-01T09:00:00Z'),
      'confirm',
    )
  })

  it('rejects a confirmation that leaves a confirmed booking beside a block without a vehicle', async () => {
    const { database, rental } = fixtures
    const assets = rental.fleet.assetGroups[0]?.assets ?? []
    for (const [index, day] of ['2038-08-01', '2038-08-06'].entries()) {
      const [from, to] = [() => new Date(`${day}T08:00Z`), () => new Date(`${day}T20:00Z`)]
      const block = { from, to, reason: undefined, blockedBy: 'kari' }
      const asset = { ref: assets[index]?.ref ?? '', slug: undefined }
      await blockAsset(database, asset, block, new Date())
    }
    const earlier = [
      await rental.book('2038-08-01T12:00Z', '2038-08-04T10:00Z'),
      await rental.book('2038-08-04T16:00Z', '2038-08-08T10:00Z'),
    ]
    for (const id of earlier) await review(id, 'confirm')
    const period = ['2038-08-02T15:00Z', '2038-08-05T10:00Z'] as const
    const window = { from: new Date(period[0]), to: new Date(period[1]) }
    const { tenantId, slug, assetGroups } = rental.fleet
    const count = await countAvailability(database, tenantId, assetGroups[0]?.id ?? '', window)
    expect(count && availableCount(count)).toBe(0)
    const third = await rental.book(...period)
    const page = await showBooking(database, { tenantId, id: third }, new Date())
    expect(page.vehicles).toMatchObject({ inService: 2, confirmed: 1, short: true })
    const { bookings } = await listBookings(database, slug, { status: 'pending' }, new Date())
    expect(bookings).toMatchObject([{ id: third, short: true, contested: true }])
    expect(bookingPage(page, new Date())).toContain(
      '1 taken by other confirmed bookings, and a booking beside a block needs the last one.',
    )
    await expect(review(third, 'confirm')).rejects.toThrow(
      'it would take the last vehicle that is not blocked during the confirmed booking of 2038-08-01 14:00.',
    )
    expect(await review(third, 'confirm', { force: true })).toMatchObject({ forced: true })
  })

  it('counts neither pending nor cancelled bookings as overbooking', async () => {
    const first = await fixtures.rental.book(...monday)
    await review(first, 'confirm')
    await review(first, 'cancel')
    for (const _ of [1, 2, 3]) await fixtures.rental.book(...monday)
    for (const _ of [1, 2]) await review(await fixtures.rental.book(...monday), 'confirm')
  })

  it('never overbooks when many confirmations run concurrently', async () => {
    await review(await fixtures.rental.book(...monday), 'confirm')
    const ids: string[] = []
    for (let index = 0; index < parallel; index += 1)
      ids.push(await fixtures.rental.book(...monday))
    const outcomes = await Promise.allSettled(ids.map((id) => review(id, 'confirm')))
    const rejections = outcomes.flatMap((one) =>
      one.status === 'rejected' ? [String(one.reason)] : [],
    )
    expect(rejections).toHaveLength(parallel - 1)
    for (const rejection of rejections) expect(rejection).toMatch(/overbook/)
    expect(await statuses()).toEqual({ confirmed: 2, pending: parallel - 1 })
  })
})
