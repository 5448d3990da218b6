import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDatabase, type Database } from '../../src/db/connection/database.ts'
import { migrateDatabase } from '../../src/db/migrations/migrate.ts'
import { listBookings } from '../../src/services/bookings/listBookings.ts'
import { createDatabase, createTestDatabase } from '../helpers/database.ts'
import { fleetOf } from '../helpers/fleet.ts'
import { openPool } from '../helpers/openPool.ts'
import { openRental, type Rental } from '../helpers/rental.ts'
import { commandLineOn } from './commandLine.ts'

async function createWithLocaleC() {
  const locale = "LOCALE_PROVIDER libc LC_COLLATE 'C' LC_CTYPE 'C'"
  const created = await createDatabase(`TEMPLATE template0 ENCODING 'UTF8' ${locale}`)
  await migrateDatabase(created.url)
  return created
}

const kari = {
  firstName: 'Kari',
  lastName: 'Nordmann',
  email: 'kari@example.com',
  phone: '+47 12 34 56 78',
}

describe.each([
  ['the default locale', createTestDatabase],
  ["lc_ctype 'C'", createWithLocaleC],
])('in a database with %s', (_, create) => {
  let database: Database
  let rental: Rental
  let staff: (...argv: string[]) => ReturnType<ReturnType<typeof commandLineOn>>
  let close: () => Promise<void>
  beforeAll(async () => {
    const { url, drop } = await create()
    database = openPool(url, { poolMax: 2 })
    rental = await openRental(database, fleetOf(1))
    staff = (...argv) => commandLineOn(url)(argv)
    close = () => closeDatabase(database).then(drop)
  })
  afterAll(() => close())

  type Details = { customer?: Partial<typeof kari>; notes?: string; reference?: string }
  const book = (details: Details) =>
    rental.book('2038-03-01T10:00:00Z', '2038-03-02T10:00:00Z', {
      notes: details.notes,
      reference: details.reference,
      customer: Object.assign({}, kari, details.customer),
    })

  it.each([
    [{ customer: { lastName: 'ØDEGÅRD' } }, ['ødegård', 'Ødega\u030ard', 'odegard'], ['odgard']],
    [{ customer: { lastName: 'Müller' } }, ['Mu\u0308ller', 'MÜLLER', 'muller'], ['mueller']],
    [{ customer: { lastName: 'Weiß' } }, ['WEISS', 'weiß', 'WEIẞ'], []],
    [{ customer: { lastName: 'Ακριβός' } }, ['ΑΚΡΙΒΌΣ', 'ακριβόσ'], []],
    [{ customer: { lastName: 'Novák' } }, ['novak', 'NOVAK'], ['nowak']],
    [{ customer: { lastName: 'Yıldız' } }, ['yildiz', 'YILDIZ', 'yıldız'], ['yldz']],
    [{ customer: { lastName: 'Işık' } }, ['IŞIK', 'isik', 'İŞİK'], []],
    [{ customer: { lastName: 'Þórdís' } }, ['thordis', 'ÞÓRDÍS'], ['tordis']],
    [{ customer: { lastName: 'Nguyễn Đức' } }, ['nguyen', 'duc'], []],
    [{ notes: 'Kinder\u00adsitz' }, ['kindersitz', 'kinder\u00adsitz'], []],
    [{ customer: { lastName: 'Жуков' } }, ['ЖУКОВ'], []],
    [{ customer: { lastName: 'O’Brien' } }, ["O'Brien", 'o´brien', 'OʼBRIEN'], ['obrien']],
    [{ customer: { lastName: "D'Arc–Roy" } }, ['d’arc', 'ARC-ROY', 'arc−roy'], ['arcroy']],
    [{ customer: { lastName: 'ヤマダ' } }, ['ﾔﾏﾀﾞ'], []],
    [{ notes: 'kl. 14-16' }, ['14-16', '14–16'], ['14-16-']],
    [{ notes: 'Ankomst 10.30, 50 kr.' }, ['10.30', '50 kr.'], ['kl.10']],
    [{ reference: 'TRIP-2035/0117' }, ['trip-2035/0117', 'TRIP–2035', '2035/0117'], ['TRIP-2036']],
    [{ notes: 'Ref. 2026/117 (B-1)' }, ['2026/117', '(B-1)', 'b–1'], ['2026/118', 'B1)']],
    [
      { customer: { phone: '+47 400 12 345' } },
      ['+47 400', '+4740012345', '400-12-345', '٤٠٠', '(400)'],
      ['+47 40199'],
    ],
    [
      { customer: { phone: '+49 171 1001898' } },
      ['0171 1001898', '00491711001898', '+49 171 100 18 98', '+49 (0)171 1001898', '1001898'],
      ['0171 100 00 13', '0172 1001898', '0171 100 18 98 1'],
    ],
    [
      { customer: { phone: '0171 / 100 18 98' } },
      ['+49 171 1001898', '0049 171 1001898'],
      ['+49 171 100189'],
    ],
    [{ notes: 'Tlf. +44 20 7946' }, ['+44 20', '+44'], ['+44207946']],
  ])('finds a booking with %j by %j and not by %j', async (details, found, missed) => {
    const id = await book(details)
    const search = async (text: string) => {
      const { out } = await staff('bookings', 'list', '--json', '--search', text)
      return JSON.parse(out).some((booking: { id: string }) => booking.id === id)
    }
    for (const text of found) expect([text, await search(text)]).toEqual([text, true])
    for (const text of missed) expect([text, await search(text)]).toEqual([text, false])
  })

  it('compares the bookings of every page', async () => {
    const name = { customer: { firstName: 'Turid-Åse' } }
    const booked = [await book(name), await book(name), await book(name)]
    const filter = { status: 'open', words: ['turid-åse'] } as const
    const { pool } = database
    const query = pool.query.bind(pool) as (statement: object) => Promise<object>
    const small = ({ text, values }: { text: string; values?: unknown[] }) =>
      query({ text: text.replace('limit 10000', 'limit 2'), values })
    const { bookings } = await listBookings(
      { ...database, pool: Object.assign(Object.create(pool), { query: small }) },
      rental.fleet.slug,
      filter,
      new Date(),
    )
    expect(bookings.map(({ id }) => id)).toEqual(booked.toSorted())
  })

  it.each([
    ['JÖRG@Example.com', 'jörg@example.com', 'jorg@example.com'],
    ['jo\u0308rg@example.com', 'JÖRG@EXAMPLE.COM', 'jrg@example.com'],
    ['o’hara@example.com', "O'Hara@example.com", 'ohara@example.com'],
    ['a–b@example.com', 'A-B@example.com', 'ab@example.com'],
    ['Jörg@xn--blbr-roah.no', 'jörg@BLA\u030aBÆR.no', 'jorg@blåbær.no'],
    ['jörg@blåbær.no', 'JÖRG@XN--BLBR-ROAH.no', 'jörg@blabar.no'],
    ['ａ１@example.com', 'A1@EXAMPLE.COM', 'a2@example.com'],
    ['kari@straße.example', 'KARI@xn--strae-oqa.example', 'kari@strasse.example'],
  ])('erases a booking of %s by %s and not by %s', async (stored, typed, other) => {
    const id = await book({ customer: { email: stored } })
    const erase = (email: string) =>
      staff('customers', 'erase', '--yes', '--email', email, '--json')
    expect((await erase(other)).exitCode).toBe(1)
    const erased = JSON.parse((await erase(typed)).out).erased.map((one: { id: string }) => one.id)
    expect(erased).toContain(id)
  })
})
