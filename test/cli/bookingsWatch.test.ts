import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { proxiedUrl, startFaultProxy, upstreamOf } from '../helpers/faultProxy.ts'
import { closeGate, installGates } from '../helpers/gates.ts'
import { runStatements } from '../helpers/maintenance.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { idsOf, useWatchedRentals, type Watch } from './watchedRentals.ts'

const { operator, aWatchedRental } = useWatchedRentals()

beforeAll(async () => {
  await installGates(operator.url)
  // No lock timeout, because the watch may need more than two seconds to poll twice.
  await runStatements(operator.url, 'alter function hold_at_gate() set lock_timeout = 0')
})

describe('rental bookings watch', () => {
  it('writes each new booking and status change after its start', async () => {
    const { watch, book } = await aWatchedRental()
    await book()
    const watching = await watch()
    // The cursor to continue from if the watch ends without an event.
    expect(watching.errorLines.at(-1)).toMatch(
      /^Watching .*, starting after cursor 1-[\da-f]{8}\.\n$/,
    )
    const id = await book()
    await operator.json('bookings', 'confirm', id, '--as', 'Kari')
    await operator.json('bookings', 'cancel', id, '--as', 'Ola', '--reason', 'called')
    await watching.printed(3)
    expect(watching.errorLines.join('')).toMatch(
      /^Watching .+, starting after cursor 1-[\da-f]{8}\.\n$/,
    )
    expect(watching.news).toMatchObject([
      { type: 'booked', actor: null, booking: { id, customer: { firstName: 'Kari' } } },
      { type: 'confirmed', actor: 'Kari', booking: { id } },
      { type: 'cancelled', actor: 'Ola', reason: 'called', booking: { id } },
    ])
    const { rows } = await operator.database.pool.query<{ at: Date }>(
      `select created_at as at from bookings where id = $1 union all
       select created_at from booking_events where booking_id = $1 order by at`,
      [id],
    )
    expect(watching.news.map(({ at }) => at)).toEqual(rows.map(({ at }) => at.toISOString()))
    expect(await watching.stop()).toBe(0)
  })

  it('writes one JSON object per line', async () => {
    const { watch, book } = await aWatchedRental()
    const watching = await watch()
    await book()
    await book()
    await watching.printed(2)
    expect(watching.written.join('')).toMatch(/^(\{.*\}\n){2}$/)
  })

  it('continues after a cursor and writes the same order to every watch', async () => {
    const { watch, book } = await aWatchedRental()
    const first = await watch()
    const ids = [await book(), await book()]
    await first.printed(2)
    await first.stop()
    ids.push(await book(), await book())
    const second = await watch(first.news[0]?.cursor)
    const third = await watch('0')
    await Promise.all([second.printed(3), third.printed(4)])
    expect(idsOf(third)).toEqual(ids)
    expect(second.news).toEqual(third.news.slice(1))
  })

  it('writes a booking that commits late once, after the events already written', async () => {
    const { rental, watch, book } = await aWatchedRental()
    const watching = await watch()
    const quoteId = await rental.quote('2038-03-01T10:00:00Z', '2038-03-02T10:00:00Z')
    const idempotencyKey = randomUUID()
    const gate = await closeGate(operator.url, 'at commit', { quoteId, idempotencyKey })
    const late = rental.redeem(quoteId, idempotencyKey)
    await gate.arrived()
    const later = await book()
    await watching.printed(1)
    await gate.open()
    const early = await late
    await watching.printed(2)
    expect(idsOf(watching)).toEqual([later, early])
    const again = await watch('0')
    await again.printed(2)
    expect(again.news).toEqual(watching.news)
  })

  it('writes each event once while the database fails and recovers', async () => {
    const { watch, book } = await aWatchedRental()
    const proxy = await startFaultProxy(upstreamOf(operator.url))
    try {
      const watches = [await watch(undefined, proxiedUrl(operator.url, proxy)), await watch()]
      const [cut] = watches as [Watch]
      const printedLine = (sentence: string) =>
        waitFor(() => cut.errorLines.at(-1)?.startsWith(sentence))
      const ids: string[] = []
      for (let round = 0; round < 3; round++) {
        ids.push(await book())
        proxy.down()
        ids.push(await book())
        await printedLine('The database is unavailable.')
        ids.push(await book())
        proxy.heal()
        await printedLine('The database is available again.')
      }
      for (const each of watches) await each.printed(ids.length)
      expect(idsOf(cut)).toEqual(ids)
      expect(watches[1]?.news).toEqual(cut.news)
      await cut.stop()
    } finally {
      await proxy.stop()
    }
  })
})
