import { describe, expect, it } from 'vitest'
import { waitFor } from '../helpers/waitFor.ts'
import { idsOf, useWatchedRentals } from './watchedRentals.ts'

const { operator, aWatchedRental } = useWatchedRentals()

describe('rental bookings watch --since', () => {
  it('begins with the first booking when it is used for the first time a year later', async () => {
    const { watch, book, ageAll } = await aWatchedRental()
    const ids = [await book(), await book()]
    await operator.json('bookings', 'reject', ids[0] ?? '')
    await ageAll(400)
    const watching = await watch('0')
    await watching.printed(3)
    expect(watching.news.map(({ type, booking }) => [type, booking.id])).toEqual([
      ['booked', ids[0]],
      ['booked', ids[1]],
      ['rejected', ids[0]],
    ])
  })

  it('continues after a cursor whose decision is past its retention while it is the newest', async () => {
    const { rental, watch, book, ageAll } = await aWatchedRental()
    const first = await watch()
    const ids = [await book(), await book()]
    for (const id of ids) await operator.json('bookings', 'reject', id)
    await first.printed(4)
    await first.stop()
    await ageAll(4 * 366)
    const theirs = `where tenant_id = '${rental.fleet.tenantId}'`
    await operator.database.pool.query(
      `update bookings set pickup_at = '2020-01-01', dropoff_at = '2020-01-02' ${theirs}`,
    )
    expect(await operator.json('maintain')).toMatchObject({ bookingEvents: 1 })
    const second = await watch(first.news[3]?.cursor)
    const third = await watch()
    const id = await book()
    await second.printed(1)
    await third.printed(1)
    expect([idsOf(second), idsOf(third)]).toEqual([[id], [id]])
  })

  it('continues to write new bookings when a backup from before the first watch is restored', async () => {
    const { restoreUnread, watch, book } = await aWatchedRental()
    const watching = await watch()
    await restoreUnread()
    const id = await book()
    await watching.printed(1)
    expect(idsOf(watching)).toEqual([id])
  })

  it('exits with 1 when the database has lost an event that was already written', async () => {
    const { restoreUnread, watch, book } = await aWatchedRental()
    const lost = await book()
    const watching = await watch('0')
    await watching.printed(1)
    await operator.database.pool.query('delete from idempotency_records where booking_id = $1', [
      lost,
    ])
    await operator.database.pool.query('delete from bookings where id = $1', [lost])
    await restoreUnread()
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
      `The cursor "${since}" is not one of this feed: it is another tenant's, or it was lost ` +
        'in a failover or a restore. Leave out --since to get only new events, or use --since 0 to get all.\n',
    ])
    expect(rejected.error).not.toContain('Watching')
  })
})
