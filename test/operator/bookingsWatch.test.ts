import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { enterUnreported, readFeed } from '../../src/db/bookingFeed.ts'
import { inTransaction } from '../../src/db/transaction.ts'
import { main } from '../../src/operator/main.ts'
import { proxiedUrl, startFaultProxy, upstreamOf } from '../helpers/faultProxy.ts'
import { closeGate, installGates } from '../helpers/gates.ts'
import { lockWaits } from '../helpers/lockWaits.ts'
import { runStatements } from '../helpers/maintenance.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { idsOf, useWatchedDesks, type Watch } from './watchedDesks.ts'

const { operator, aDesk } = useWatchedDesks()

beforeAll(async () => {
  await installGates(operator.url)
  // Staff wait two seconds for a lock, and a watch may need them to look twice.
  await runStatements(operator.url, 'alter function hold_at_gate() set lock_timeout = 0')
})

describe('watching bookings', () => {
  it('tells each new booking and each decision as it happens, from now on', async () => {
    const { watch, book } = await aDesk()
    await book()
    const watching = await watch()
    // Where to go on if nothing comes before it ends.
    expect(watching.said.at(-1)).toMatch(/^Watching .*, starting after cursor 1-[\da-f]{8}\.\n$/)
    const id = await book()
    await operator.json('bookings', 'confirm', id, '--as', 'Kari')
    await operator.json('bookings', 'cancel', id, '--as', 'Ola', '--reason', 'called')
    await watching.told(3)
    expect(watching.said.join('')).toMatch(/^Watching .+, starting after cursor 1-[\da-f]{8}\.\n$/)
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

  it('writes each as JSON on a line of its own, for programs that read line by line', async () => {
    const { watch, book } = await aDesk()
    const watching = await watch()
    await book()
    await book()
    await watching.told(2)
    expect(watching.written.join('')).toMatch(/^(\{.*\}\n){2}$/)
  })

  it('writes nothing more once nobody reads, though more was found', async () => {
    const { slug, book } = await aDesk()
    await book()
    await book()
    const end = new AbortController()
    const written: string[] = []
    const exitCode = await main(['bookings', 'watch', '--tenant', slug, '--since', '0'], {
      environment: { DATABASE_URL: operator.url },
      stdin: Readable.from([]),
      writeOut(text) {
        written.push(text)
        end.abort()
      },
      writeError() {},
      columns: undefined,
      signal: end.signal,
    })
    expect([exitCode, written.length]).toEqual([0, 1])
  })

  it('says nothing when a customer is erased: nobody decided anything', async () => {
    const { watch, book } = await aDesk()
    const watching = await watch()
    const id = await book()
    await operator.json('customers', 'erase', id)
    await operator.json('bookings', 'confirm', id)
    await operator.json('customers', 'erase', await book())
    await book()
    await watching.told(4)
    expect(watching.news.map(({ type }) => type)).toEqual([
      'booked',
      'confirmed',
      'booked',
      'booked',
    ])
  })

  it('tells a booking whose customer was erased before anybody watched', async () => {
    const { watch, book } = await aDesk()
    const watching = await watch()
    await book()
    await watching.told(1)
    await watching.stop()
    const id = await book()
    await operator.json('customers', 'erase', id, '--as', 'Kari')
    const later = await watch(watching.news[0]?.cursor)
    await later.told(1)
    expect(later.news[0]).toMatchObject({ type: 'booked', booking: { id } })
  })

  it('writes a pickup as it is near by now, however far it was when the command began', async () => {
    const { desk, slug, book } = await aDesk()
    await book()
    const lines: string[] = []
    const end = new AbortController()
    let now = new Date('2036-01-01T00:00:00Z')
    const exit = main(['bookings', 'watch', '--tenant', slug, '--since', '0'], {
      ...{ environment: { DATABASE_URL: operator.url }, stdin: Readable.from([]) },
      writeOut: (text) => void lines.push(text),
      ...{ writeError() {}, columns: undefined, signal: end.signal },
      get now() {
        return now
      },
    })
    now = new Date('2038-02-01T00:00:00Z')
    await waitFor(() => lines.length > 0)
    now = new Date('2036-01-01T00:00:00Z')
    const id = await book()
    await waitFor(() => lines.length > 1)
    await operator.json('bookings', 'reject', id, '--as', 'Kari', '--reason', 'no licence')
    await waitFor(() => lines.length > 2)
    end.abort()
    await exit
    const { rows } = await operator.database.pool.query(
      `select to_char(created_at at time zone 'Europe/Oslo', 'YYYY-MM-DD HH24:MI') as at
       from bookings where tenant_id = $1 order by created_at`,
      [desk.fleet.tenantId],
    )
    expect(lines).toEqual([
      expect.stringMatching(
        new RegExp(
          `^${rows[0]?.at} booked \\w{8} Kari Nordmann, Economy, 01 Mar 11:00, 623.75 NOK 1-`,
        ),
      ),
      expect.stringMatching(new RegExp(`^${rows[1]?.at} booked .*, 01 Mar 2038, `)),
      // Scripts keep the last word of a line.
      expect.stringMatching(/ by Kari: no licence 3-[\da-f]{8}\n$/),
    ])
  })

  it('goes on after a cursor with all that happened meanwhile, and everybody hears one order', async () => {
    const { watch, book } = await aDesk()
    const first = await watch()
    const ids = [await book(), await book()]
    await first.told(2)
    await first.stop()
    ids.push(await book(), await book())
    const second = await watch(first.news[0]?.cursor)
    const third = await watch('0')
    await Promise.all([second.told(3), third.told(4)])
    expect(idsOf(third)).toEqual(ids)
    expect(second.news).toEqual(third.news.slice(1))
  })

  it('tells what is committed late, once, and never changes the order for it', async () => {
    const { desk, watch, book } = await aDesk()
    const watching = await watch()
    const quoteId = await desk.quote('2038-03-01T10:00:00Z', '2038-03-02T10:00:00Z')
    const idempotencyKey = randomUUID()
    const gate = await closeGate(operator.url, 'at commit', { quoteId, idempotencyKey })
    const late = desk.redeem(quoteId, idempotencyKey)
    await gate.arrived()
    const later = await book()
    await watching.told(1)
    await gate.open()
    const early = await late
    await watching.told(2)
    expect(idsOf(watching)).toEqual([later, early])
    const again = await watch('0')
    await again.told(2)
    expect(again.news).toEqual(watching.news)
  })

  it('loses nothing and doubles nothing while the database comes and goes, and others watch', async () => {
    const { watch, book } = await aDesk()
    const proxy = await startFaultProxy(upstreamOf(operator.url))
    try {
      const watches = [await watch(undefined, proxiedUrl(operator.url, proxy)), await watch()]
      const [cut] = watches as [Watch]
      const heard = (sentence: string) => waitFor(() => cut.said.at(-1)?.startsWith(sentence))
      const ids: string[] = []
      for (let round = 0; round < 3; round++) {
        ids.push(await book())
        proxy.down()
        ids.push(await book())
        await heard('The database is unavailable.')
        ids.push(await book())
        proxy.heal()
        await heard('The database is back.')
      }
      for (const each of watches) await each.told(ids.length)
      expect(idsOf(cut)).toEqual(ids)
      expect(watches[1]?.news).toEqual(cut.news)
      await cut.stop()
    } finally {
      await proxy.stop()
    }
  })

  it('lets two who find the same news enter it once', async () => {
    const { watch, book } = await aDesk()
    const watches = [await watch(), await watch()]
    const holder = new pg.Client({ connectionString: operator.url })
    await holder.connect()
    // Reading goes on: both find the booking, and come to where it is entered.
    await holder.query('begin; lock table booking_feed_entries in share mode')
    const id = await book()
    await lockWaits(holder, 2)
    await holder.end()
    for (const each of watches) {
      await each.told(1)
      expect(idsOf(each)).toEqual([id])
      expect(await each.stop()).toBe(0)
    }
    expect(watches[0]?.news).toEqual(watches[1]?.news)
  })

  it('goes on behind what another entered while it waited to enter that, too', async () => {
    const { desk, watch, book } = await aDesk()
    const watching = await watch()
    const { tenantId } = desk.fleet
    const { pool } = operator.database
    const ids: string[] = []
    await inTransaction(operator.database, async (other) => {
      await other.pool.query({ text: 'lock table booking_feeds in share row exclusive mode' })
      ids.push(await book())
      await lockWaits(pool)
      const feed = await readFeed(other, tenantId, 'lock')
      if (feed) await enterUnreported(other, tenantId, feed)
      ids.push(await book())
    })
    await watching.told(2)
    expect(idsOf(watching)).toEqual(ids)
  })

  it('tells a booking before the decisions about it, and these in turn, though clocks differ', async () => {
    const { watch, book } = await aDesk()
    const first = await watch()
    await first.stop()
    const id = await book()
    await operator.json('bookings', 'confirm', id, '--as', 'Kari')
    await operator.json('bookings', 'cancel', id, '--as', 'Ola')
    // By the clocks of other servers all is long past, and they were a minute before it; ids have no order.
    const behind = `created_at = created_at - interval '58 minutes'`
    await operator.database.pool.query(
      `update bookings set ${behind} where id = '${id}';
       update idempotency_records set ${behind} where booking_id = '${id}';
       update booking_events set ${behind} - interval '1 minute',
         id = (case to_status when 'confirmed' then '1' else '0' end || substr(id::text, 2))::uuid
       where booking_id = '${id}'`,
    )
    const second = await watch('0')
    await second.told(3)
    expect(second.news.map(({ type }) => type)).toEqual(['booked', 'confirmed', 'cancelled'])
  })

  it('writes times in the zone that the tenant has by now', async () => {
    const { desk, watch, book } = await aDesk()
    const watching = await watch()
    await operator.database.pool.query(
      `update tenants set timezone = 'America/Bogota' where id = $1`,
      [desk.fleet.tenantId],
    )
    await book()
    await watching.told(1)
    expect(watching.news).toMatchObject([{ booking: { timezone: 'America/Bogota' } }])
  })
})
