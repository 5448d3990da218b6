import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import {
  eraseCustomers,
  findBookingsByEmail,
} from '../../../src/db/queries/bookings/eraseCustomers.ts'
import { transitionBooking } from '../../../src/db/queries/bookings/reviewQueries.ts'
import { checkInvariant, invariants } from '../../../src/db/queries/maintenance/auditRules.ts'
import { runHousekeeping } from '../../helpers/housekeeping.ts'
import { aQuote, attempt, type Ground, oneValue, type Rule } from './ground.ts'

const personal = `customer_first_name, customer_last_name, customer_email, customer_phone,
  pickup_location, dropoff_location, notes`

/** Creates a booking with the given e-mail and returns its ID. */
async function aBooking(on: Ground, email = 'kari@example.com'): Promise<string> {
  const quoteId = await aQuote(on)
  await attempt(on, { quoteId })
  return oneValue<string>(
    on,
    'update bookings set customer_email = $2 where quote_id = $1 returning id as value',
    quoteId,
    email,
  )
}

const eraseByBooking = (on: Ground, id: string, actor: string) =>
  eraseCustomers(on.database, on.tenantId, [id], actor)

async function eraseByEmail(on: Ground, tenantId: string, email: string) {
  const ids = await findBookingsByEmail(on.database, tenantId, email)
  return eraseCustomers(on.database, tenantId, ids, 'ola')
}

const aMove = {
  from: 'pending',
  to: 'confirmed',
  actor: 'kari',
  reason: 'fine',
  forced: false,
} as const

const statusesOf = async ({ database }: Ground) =>
  (await database.pool.query('select id, status from bookings')).rows

async function events({ database }: Ground): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    `select booking_id as id, from_status as from, to_status as to, actor, reason, forced
     from booking_events`,
  )
  return rows
}

/** Inserts a row of each age with `make`, runs housekeeping, and returns the ages that remain. */
async function leftOf(on: Ground, table: string, ages: readonly string[], make: Make) {
  const made = new Map<string, string>()
  for (const age of ages) made.set(await make(age), age)
  await runHousekeeping(on.database)
  const { rows } = await on.database.pool.query<{ id: string }>(
    table === 'idempotency_records'
      ? 'select idempotency_key as id from idempotency_records'
      : `select id from ${table}`,
  )
  return rows.flatMap(({ id }) => made.get(id) ?? []).sort()
}

type Make = (age: string) => Promise<string>

export const staffRules = {
  async 'changes a status only from the status that staff read, and records the actor'(on) {
    const [moved, other] = [await aBooking(on), await aBooking(on)]
    const booking = { tenantId: on.tenantId, id: moved }
    expect(await transitionBooking(on.database, booking, aMove)).toBe(true)
    expect(await transitionBooking(on.database, booking, { ...aMove, to: 'rejected' })).toBe(false)
    expect(await statusesOf(on)).toEqual(
      expect.arrayContaining([
        { id: moved, status: 'confirmed' },
        { id: other, status: 'pending' },
      ]),
    )
    expect(await events(on)).toEqual([{ id: moved, ...aMove }])
  },

  async 'erases one customer from every field and from the reasons of staff, and no other customer'(
    on,
  ) {
    const [theirs, other] = [await aBooking(on, 'Kari@Example.com'), await aBooking(on, 'a@b.no')]
    const requests = `select count(*)::int as value from idempotency_records
      where booking_id = $1 and fingerprint <> ''`
    const unknown = `select count(*)::int as value from idempotency_records
      where booking_id = $1 and fingerprint = ''`
    for (const id of [theirs, other]) {
      await transitionBooking(on.database, { tenantId: on.tenantId, id }, aMove)
    }
    await eraseByEmail(on, on.tenantId, 'KARI@example.COM')
    const left = `select num_nonnulls(${personal}) as value from bookings where id = $1`
    expect(await oneValue(on, left, theirs)).toBe(0)
    expect(await oneValue(on, left, other)).toBe(7)
    expect(await oneValue(on, unknown, theirs)).toBe(1)
    expect(await oneValue(on, requests, other)).toBe(1)
    const erased = { from: 'confirmed', to: 'confirmed', actor: 'ola', reason: 'customer erased' }
    const recorded = await events(on)
    expect(recorded).toHaveLength(3)
    expect(recorded).toEqual(
      expect.arrayContaining([
        { id: theirs, ...aMove, reason: null },
        { id: theirs, ...erased, forced: false },
        { id: other, ...aMove },
      ]),
    )
    // Erasure is idempotent and does not affect other tenants. A single booking can be erased.
    expect(await eraseByEmail(on, on.tenantId, 'kari@example.com')).toEqual([])
    const elsewhere = randomUUID()
    expect(await eraseByEmail(on, elsewhere, 'a@b.no')).toEqual([])
    expect(await eraseByBooking(on, theirs, 'ola')).toEqual([])
    expect(await eraseByBooking(on, other, 'ola')).toMatchObject([{ id: other, open: true }])
  },

  async 'a second erasure clears reasons written after the first, and is recorded'(on) {
    const [id, other] = [await aBooking(on), await aBooking(on)]
    expect(await eraseByBooking(on, id, 'ola')).toMatchObject([{ id, again: false }])
    await eraseByBooking(on, other, 'ola')
    for (const each of [id, other])
      await transitionBooking(on.database, { tenantId: on.tenantId, id: each }, aMove)
    expect(await eraseByBooking(on, id, 'kai')).toMatchObject([{ id, again: true }])
    expect(await eraseByBooking(on, id, 'kai')).toEqual([])
    const recorded = (await events(on)) as { id: string; actor: string; reason: string | null }[]
    expect(
      recorded
        .map(({ id, actor, reason }) => `${id === other ? 'other ' : ''}${actor} ${reason}`)
        .sort(),
    ).toEqual([
      'kai reasons erased',
      'kari null',
      'ola customer erased',
      'other kari fine',
      'other ola customer erased',
    ])
  },

  async 'stores a recorded response for 24 hours'(on) {
    const make = async (age: string) => {
      const idempotencyKey = randomUUID()
      await attempt(on, { quoteId: randomUUID(), idempotencyKey })
      await on.database.pool.query(
        `update idempotency_records set created_at = now() - $2::interval
         where idempotency_key = $1`,
        [idempotencyKey, age],
      )
      return idempotencyKey
    }
    const ages = ['0', '23 hours 59 minutes', '24 hours 1 minute', '1 year']
    expect(await leftOf(on, 'idempotency_records', ages, make)).toEqual([
      '0',
      '23 hours 59 minutes',
    ])
  },

  async 'keeps an unused quote for 48 hours after expiry and a used quote forever'(on) {
    const make = async (age: string) => {
      const quoteId = await aQuote(on)
      if (age === '2 years') await attempt(on, { quoteId })
      const expire = 'update quotes set expires_at = now() - $2::interval where id = $1'
      await on.database.pool.query(expire, [quoteId, age])
      return quoteId
    }
    const ages = ['0', '47 hours', '49 hours', '1 year', '2 years']
    expect(await leftOf(on, 'quotes', ages, make)).toEqual(['0', '2 years', '47 hours'])
  },

  async 'deletes a status change three years after both the change and the rental'(on) {
    const id = await aBooking(on)
    await on.database.pool.query(
      `update bookings set status = 'confirmed', pickup_at = now() - interval '4 years',
         dropoff_at = now() - interval '3 years 1 day' where id = $1`,
      [id],
    )
    const running = await aBooking(on)
    const make = (bookingId: string) => (age: string) =>
      oneValue<string>(
        on,
        `insert into booking_events (tenant_id, booking_id, from_status, to_status, actor, created_at)
         values ($1, $2, 'pending', 'pending', 'kari', now() - $3::interval) returning id as value`,
        on.tenantId,
        bookingId,
        age,
      )
    const ages = ['2 years 364 days', '3 years 1 day', '9 years']
    expect(await leftOf(on, 'booking_events', ages, make(id))).toEqual(['2 years 364 days'])
    expect(await leftOf(on, 'booking_events', ages, make(running))).toEqual(ages)
    // The audit accepts a status whose changes are past retention.
    await on.database.pool.query('delete from booking_events')
    const statuses = invariants.find(({ name }) => name.startsWith('the status of a booking'))
    expect(statuses && (await checkInvariant(on.database, statuses)).count).toBe(0)
  },
} satisfies Record<string, Rule>
