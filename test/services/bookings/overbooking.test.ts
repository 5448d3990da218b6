import { describe, expect, it } from 'vitest'
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
