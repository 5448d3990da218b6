import { describe, expect, it } from 'vitest'
import { isCursor } from '../../src/services/bookings/watchBookings.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { idsOf, useWatchedRentals } from './watchedRentals.ts'

const { operator, aWatchedRental } = useWatchedRentals()

describe('rental bookings watch --since', () => {
  it.each([
    ['no watch ran', "settled_at - interval '400 days'"],
    ['no booking was created', 'settled_at'],
  ])('continues after the last cursor without repeats when %s for a year', async (_, settledAt) => {
    const { rental, watch, book, ageAll } = await aWatchedRental()
    const first = await watch()
    await book()
    await book()
    await first.printed(2)
    await first.stop()
    await ageAll(400)
    await operator.database.pool.query(
      `update booking_feeds set settled_at = ${settledAt} where tenant_id = $1`,
      [rental.fleet.tenantId],
    )
    await operator.json('maintain')
    const second = await watch(first.news[1]?.cursor)
    const id = await book()
    await second.printed(1)
    expect(idsOf(second)).toEqual([id])
  })

  it('continues to write new bookings when a restored backup has no feed yet', async () => {
    const { rental, watch, book } = await aWatchedRental()
    const watching = await watch()
    await operator.database.pool.query('delete from booking_feeds where tenant_id = $1', [
      rental.fleet.tenantId,
    ])
    const id = await book()
    await watching.printed(1)
    expect(idsOf(watching)).toEqual([id])
  })

  it('exits with 1 when the database has lost an event that was already written', async () => {
    const { rental, watch, book } = await aWatchedRental()
    const watching = await watch()
    await book()
    await watching.printed(1)
    const theirs = `where tenant_id = '${rental.fleet.tenantId}'`
    await operator.database.pool.query(
      `update booking_feeds set position = 0, settled_at = now() ${theirs};
       delete from booking_feed_entries ${theirs}`,
    )
    const id = await book()
    const other = await watch('0')
    await other.printed(1)
    expect(other.news).toMatchObject([{ cursor: expect.stringMatching(/^1-/), booking: { id } }])
    await waitFor(() => watching.errorLines.at(-1)?.includes('is not one of this feed'))
    expect(await watching.stop()).toBe(1)
    expect(watching.news).toHaveLength(1)
  })

  it.each(['abc', '', '412', '1-0000000g', '-1-00000000', '1-000000000'])(
    'rejects the cursor %j as a usage error',
    async (since) => {
      const argv = ['bookings', 'watch', '--tenant', 'north', '--since', since]
      const { exitCode, out, error } = await operator.run(...argv)
      expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
      expect(error).toContain('Use the last word of a line')
      expect(error).not.toContain('Watching')
    },
  )

  it('rejects a cursor that is not in the feed of the tenant', async () => {
    const since = '1-00000000'
    const { slug, watch, book } = await aWatchedRental()
    await book()
    const first = await watch('0')
    await first.printed(1)
    expect(first.news[0]?.cursor).toMatch(/^1-/)
    const rejected = await operator.run('bookings', 'watch', '--tenant', slug, '--since', since)
    expect([rejected.exitCode, rejected.error]).toEqual([
      1,
      `The cursor "${since}" is not one of this feed: it is another tenant's, older than a year, or ` +
        'it was lost in a failover or a restore. Use --since 0 to get all stored events.\n',
    ])
    expect(rejected.error).not.toContain('Watching')
  })
})

describe('isCursor', () => {
  it.each([
    ...['', '412', '-9e8d7c6b', '412-9e8d7c6', '412-9e8d7c6b0', '412-9e8d7c6g'],
    ...['412-9e8d7c6b\n', ' 412-9e8d7c6b', '1000000000000000-9e8d7c6b'],
  ])('returns false for %j', (text) => {
    expect(isCursor(text)).toBe(false)
  })
})
