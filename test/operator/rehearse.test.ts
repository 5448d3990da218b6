import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { closeDatabase, openDatabase } from '../../src/db/client.ts'
import { lockGroup } from '../../src/db/review.ts'
import { operatorTimeouts } from '../../src/db/timeouts.ts'
import { inTransaction } from '../../src/db/transaction.ts'
import { rehearse } from '../../src/services/rehearse.ts'
import type { ReviewedBooking } from '../../src/services/reviewBooking.ts'
import { proxiedUrl, startFaultProxy, upstreamOf } from '../helpers/faultProxy.ts'
import { openRental, type Rental } from '../helpers/rental.ts'
import { follow, stopFollowing, useCommandLine } from './commandLine.ts'

const operator = useCommandLine()
const examples = join(import.meta.dirname, '../../examples')
const sandbox = JSON.parse(readFileSync(join(examples, 'sandbox.json'), 'utf8'))
type Group = { ref: string }
const groupFirst = (ref: string) => ({
  ...sandbox,
  assetGroups: sandbox.assetGroups.toSorted(
    (a: Group, b: Group) => Number(b.ref === ref) - Number(a.ref === ref),
  ),
})
const desks: Record<string, Rental> = {}
beforeAll(async () => {
  for (const ref of ['free', 'single', 'blocked', 'no-rate']) {
    desks[ref] = await openRental(operator.database, groupFirst(ref))
  }
})
afterEach(stopFollowing)

const book = (ref: string, notes?: string) => {
  const desk = desks[ref] as Rental
  return desk.book('2030-03-01T10:00:00Z', '2030-03-02T10:00:00Z', notes ? { notes } : {})
}
const rehearsal = (after = '0s') =>
  follow<ReviewedBooking>(
    operator.url,
    ...['bookings', 'rehearse', '--tenant', 'sandbox', '--after', after],
  )

it('a sandbox’s bookings are decided as their notes ask, those made long before, too', async () => {
  const before = await book('free')
  const longAgo = `set created_at = now() - interval '90 days' where`
  await operator.database.pool.query(
    `update bookings ${longAgo} id = '${before}';
     update idempotency_records ${longAgo} booking_id = '${before}'`,
  )
  const { told, news } = await rehearsal()
  const rejected = await book('free', 'Please REJECT me.')
  await book('free', 'Leave me')
  const cancelled = await book('free', 'Cancel me')
  await told(4)
  expect(news.map(({ id, status }) => [id, status])).toEqual([
    [before, 'confirmed'],
    [rejected, 'rejected'],
    [cancelled, 'confirmed'],
    [cancelled, 'cancelled'],
  ])
  const shown = await operator.json('bookings', 'show', rejected)
  expect(shown).toMatchObject({ history: [{ actor: 'rehearsal', reason: 'rehearsed' }] })
})

it('a booking is decided once it is as old as --after says', async () => {
  const [young, old] = [await book('free'), await book('free')]
  const age = (id: string, minutes: number) =>
    operator.database.pool.query(
      'update bookings set created_at = now() - make_interval(mins => $2) where id = $1',
      [id, minutes],
    )
  await age(young, 30)
  await age(old, 90)
  const { told, news, stop } = await follow<ReviewedBooking>(
    operator.url,
    ...['bookings', 'rehearse', '--tenant', 'sandbox', '--after', '1h'],
  )
  await told(1)
  await stop()
  expect(news.map(({ id }) => id)).toEqual([old])
  await operator.json('bookings', 'reject', young)
})

it('each group of the example has its own outcome', async () => {
  const ids = [await book('single'), await book('single'), await book('blocked')]
  await expect(book('no-rate')).rejects.toMatchObject({ code: 'NO_RATE_AVAILABLE' })
  const { told, news } = await rehearsal()
  await told(ids.length)
  expect(news.map(({ id, status }) => [id, status])).toEqual([
    [ids[0], 'confirmed'],
    [ids[1], 'rejected'],
    [ids[2], 'rejected'],
  ])
})

it('a rehearsal leaves what somebody else has decided meanwhile, and goes on', async () => {
  const [first, theirs, last] = [await book('free'), await book('free'), await book('free')]
  const end = new AbortController()
  const decisions = rehearse(operator.database, 'sandbox', {
    ...{ afterMs: 0, signal: end.signal },
    ...{ onStart() {}, onAvailability() {} },
  })
  try {
    expect((await decisions.next()).value).toMatchObject({ id: first })
    await operator.json('bookings', 'reject', theirs)
    expect((await decisions.next()).value).toMatchObject({ id: last })
  } finally {
    end.abort()
  }
})

it('a rehearsal waits for a database that is away, from the first look on', async () => {
  const id = await book('free')
  const proxy = await startFaultProxy(upstreamOf(operator.url))
  const options = { url: proxiedUrl(operator.url, proxy), poolMax: 1, preparedStatements: true }
  const database = openDatabase({ ...options, onConnectionLost() {} })
  const end = new AbortController()
  try {
    const decided = await rehearse(database, 'sandbox', {
      ...{ afterMs: 0, signal: end.signal },
      onStart: () => proxy.down(),
      onAvailability: (failure) => failure && proxy.heal(),
    }).next()
    expect(decided.value).toMatchObject({ id, status: 'confirmed' })
  } finally {
    end.abort()
    await closeDatabase(database)
    await proxy.stop()
  }
})

it('a rehearsal leaves a booking alone until its time has come', async () => {
  const madeAgo = (minutes: number, id: string) =>
    operator.database.pool.query(
      'update bookings set created_at = now() - make_interval(mins => $1) where id = $2',
      [minutes, id],
    )
  const [first, second, early] = [await book('free'), await book('free'), await book('free')]
  await madeAgo(59, early)
  await madeAgo(61, first)
  const { told, news } = await rehearsal('1h')
  await told(1)
  await madeAgo(61, second)
  await told(2)
  expect(news.map(({ id }) => id)).toEqual([first, second])
  await operator.json('bookings', 'reject', early)
})

it('a rehearsal goes on where it was when the database went away between two decisions', async () => {
  const id = await book('free', 'cancel me')
  const { pool } = operator.database
  await pool.query(`
    create function go_away() returns trigger language plpgsql as
      $$ begin raise exception 'away' using errcode = '57P03'; end $$;
    create trigger gone before update on bookings for each row
      when (new.status = 'cancelled') execute function go_away()`)
  const end = new AbortController()
  let back: Promise<unknown> | undefined
  const decisions = rehearse(operator.database, 'sandbox', {
    ...{ afterMs: 0, signal: end.signal, onStart() {} },
    onAvailability(failure) {
      if (failure) back = pool.query('drop function go_away cascade')
    },
  })
  expect((await decisions.next()).value).toMatchObject({ id, status: 'confirmed' })
  expect((await decisions.next()).value).toMatchObject({ id, status: 'cancelled' })
  end.abort()
  await back
})

it('a rehearsal waits for an import that changes the group, and rejects nothing for it', async () => {
  const { tenantId, assetGroups } = (desks['free'] as Rental).fleet
  const id = await book('free')
  const timeouts = { ...operatorTimeouts, lockMs: 1 }
  const options = { url: operator.url, poolMax: 1, preparedStatements: true, timeouts }
  const hasty = openDatabase({ ...options, onConnectionLost() {} })
  const end = new AbortController()
  const decided = await inTransaction(operator.database, async (transaction) => {
    await lockGroup(transaction, { tenantId, assetGroupId: assetGroups[0]?.id ?? '' })
    return new Promise<{ next: Promise<unknown> }>((resolve) => {
      const decisions = rehearse(hasty, 'sandbox', {
        ...{ afterMs: 0, signal: end.signal },
        ...{ onStart() {}, onAvailability: () => resolve({ next }) },
      })
      const next = decisions.next()
    })
  })
  expect(await decided.next).toMatchObject({ value: { id, status: 'confirmed' } })
  end.abort()
  await closeDatabase(hasty)
})

it('nobody else’s bookings are decided by a program', async () => {
  const id = await operator.rental.book('2030-03-01T10:00:00Z', '2030-03-02T10:00:00Z')
  const refused = await operator.run('bookings', 'rehearse', '--tenant', 'north', '--after', '0s')
  expect(refused).toMatchObject({
    exitCode: 1,
    error:
      '"north" is not a sandbox: its bookings are decided by people. To get one, import examples/sandbox.json.\n',
  })
  expect(await operator.json('bookings', 'show', id)).toMatchObject({ status: 'pending' })
})
