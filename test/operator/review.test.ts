import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { closeDatabase, type Database, openDatabase } from '../../src/db/client.ts'
import type { Terminal } from '../../src/operator/command.ts'
import { main } from '../../src/operator/main.ts'
import { review } from '../../src/operator/reviewSession.ts'
import { type OpenTestDatabase, openTestDatabase } from '../helpers/openTestDatabase.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { commandLineOn } from './commandLine.ts'
import { decided, decisionsIn, openOffice, today } from './office.ts'

let test: OpenTestDatabase
let office: Awaited<ReturnType<typeof openOffice>>
beforeEach(async () => {
  test = await openTestDatabase()
  office = await openOffice(test.database)
})
afterEach(() => test.drop())

const argv = ['bookings', 'review', '--tenant', 'fjord-cars', '--as', 'Ingrid']

describe('a review without a cursor', () => {
  const plain = (keys: readonly string[], ...more: string[]) =>
    commandLineOn(test.url)([...argv, '--plain', ...more], {
      stdin: keys.map((key) => `${key}\n`).join(''),
      now: today,
    })

  it('shows one pending booking after the other, and does what each key says', async () => {
    const { kari, taro, dana } = office.bookings
    const keys = ['c', 'c', 'r', 'no vehicle left', 's', 'q']
    const { exitCode, out, error } = await plain(keys)
    expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' })
    const shown = [...out.matchAll(/^Booking (\S{36}): /gm)].map(([, id]) => id)
    expect(shown).toEqual([kari, taro, taro, dana])
    expect(out).toMatch(/Booking \S{8} would overbook "Economy"/)
    expect(out).toContain(`\nBooking ${taro.slice(0, 8)} is rejected.\n`)
    expect(out).toContain('Nothing more is pending, 1 skipped (s shows them again)')
    expect(out).toMatch(/Confirmed 1, rejected 1\.\n$/)
    expect(await decisionsIn(test.database)).toEqual([
      decided(kari, 'confirmed'),
      decided(taro, 'rejected', 'no vehicle left'),
    ])
  })

  it('offers the reasons that were given lately by number, and none at all', async () => {
    const { kari, taro, dana } = office.bookings
    const { out } = await plain(['r', 'no\0 licence', 'r', ' . ', 'r', '2', 'r', '1', 'r', '', 'q'])
    expect(out).toContain('\nAny text; Enter for no reason')
    expect(out).toContain('  1  no licence\nA number, or any text; Enter for no reason')
    expect(out).toContain('There is no reason 2.\n')
    expect(await decisionsIn(test.database)).toEqual([
      decided(kari, 'rejected', 'no licence'),
      decided(taro, 'rejected', 'no licence'),
      decided(dana, 'rejected'),
    ])
    await commandLineOn(test.url)(['customers', 'erase', taro, '--as', 'Ingrid'])
    await office.rental.book('2030-09-01T08:00:00Z', '2030-09-02T08:00:00Z')
    await office.rental.book('2030-09-02T08:00:00Z', '2030-09-03T08:00:00Z')
    await test.database.pool.query(
      "update booking_events set reason = E'no\\nlicence' where reason = 'no licence'",
    )
    const later = (await plain(['r', 'too young', 'r', '', 'q'])).out
    expect(later).toContain('  1  too young\n  2  no\ufffdlicence\n')
    expect(later).not.toContain('customer erased')
  })

  it('takes a number for the reason where there is none to choose from', async () => {
    await plain(['r', '7', 'q'])
    expect(await decisionsIn(test.database)).toEqual([
      decided(office.bookings.kari, 'rejected', '7'),
    ])
  })

  it('goes back, finds, and ends with its input; as JSON it is what was decided', async () => {
    const { kari, taro, dana } = office.bookings
    const { out, error } = await plain(['s', 's', 'b', 'b', 'x', 'f', 'לוי', 'c', 'b'], '--json')
    const shown = [...error.matchAll(/^Booking (\S{36}): /gm)].map(([, id]) => id)
    expect(shown).toEqual([kari, taro, dana, taro, kari, kari, dana, dana])
    expect(error).toContain('"x" is not one of the keys.')
    expect(error).toContain('Nothing more is pending with "לוי".')
    expect(error.match(/\[.*?\]/g)?.slice(-3)).toEqual(['[3]', '[1 found]', '[0 found]'])
    const [, ofDecided = ''] = error.split(`Booking ${dana}: confirmed`)
    expect(ofDecided).not.toContain('c confirm')
    expect(JSON.parse(out)).toEqual([expect.objectContaining({ id: dana, status: 'confirmed' })])
  })

  it('decides nothing when its input ends at the question for a reason', async () => {
    const { exitCode, out } = await plain(['r'])
    expect(exitCode).toBe(0)
    expect(out).toMatch(/Reason: \n.*Confirmed 0, rejected 0\.\n$/s)
    expect(await decisionsIn(test.database)).toEqual([])
  })

  it('shows what was skipped when it starts again, and to every search', async () => {
    const { kari, taro, dana } = office.bookings
    const { out } = await plain([
      's',
      'S',
      's',
      's',
      's',
      'f',
      'Normann',
      'f',
      '',
      'f',
      'Normann',
      's',
      's',
      'Q',
    ])
    const shown = [...out.matchAll(/^Booking (\S{36}): /gm)].map(([, id]) => id)
    expect(shown).toEqual([kari, taro, dana, kari, taro, kari, kari, kari, kari])
    expect(out.match(/\[.*?\]/g)?.slice(-4)).toEqual(['[1 found]', '[3]', '[1 found]', '[3]'])
  })

  it('decides nothing that somebody else decided before', async () => {
    const { kari } = office.bookings
    // Both look at the same booking; only one of the two decisions is on record.
    const runs = await Promise.all([plain(['c']), plain(['r', 'two at once'])])
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0])
    const ofKari = (await decisionsIn(test.database)).filter(({ id }) => id === kari)
    expect(ofKari).toHaveLength(1)
    const said = runs.map(({ out }) => out).join('')
    expect(said).toMatch(/Booking \S+ is (confirmed|rejected)/)
  })

  it('goes on, and tells what was decided, when the booking that is shown is gone', async () => {
    const { kari, taro, dana } = office.bookings
    let out = ''
    async function* typed() {
      yield 'c\n'
      await waitFor(() => out.includes(`Booking ${taro}`))
      await test.database.pool.query(
        `with gone as (delete from idempotency_records where booking_id = '${taro}')
         delete from bookings where id = '${taro}'`,
      )
      yield 'c\nq\n'
    }
    const exitCode = await main([...argv, '--plain'], {
      ...{ environment: { DATABASE_URL: test.url }, stdin: Readable.from(typed()), now: today },
      ...{ writeError() {}, columns: undefined },
      writeOut(text) {
        out += text
      },
    })
    expect(exitCode).toBe(0)
    expect(out).toMatch(new RegExp(`Booking ${dana}[^]*There is no booking with the ID ${taro}`))
    expect(out).toMatch(/Confirmed 1, rejected 0\.\n$/)
    expect(await decisionsIn(test.database)).toEqual([decided(kari, 'confirmed')])
  })

  it('is refused where there is no terminal, and where nobody would be on record', async () => {
    const run = commandLineOn(test.url, { RENTAL_OPERATOR: '' })
    expect((await run(argv)).error).toContain('Use --plain')
    expect(await commandLineOn(test.url, { TERM: 'dumb' })(argv)).toMatchObject({ exitCode: 0 })
    expect((await run([...argv.slice(0, 4), '--plain'])).error).toContain('--as NAME')
  })

  it.each([
    [['--plain'], {}],
    [[], { TERM: 'dumb' }],
  ])('reads lines though there is a terminal, given %j and %j', async (more, environment) => {
    const exitCode = await main([...argv, ...more], {
      environment: { DATABASE_URL: test.url, ...environment },
      // Whoever touches it fails.
      ...{ stdin: Readable.from([]), terminal: {} as Terminal },
      ...{ writeOut() {}, writeError() {}, columns: undefined },
    })
    expect(exitCode).toBe(0)
  })
})

describe('a review by the keys of a screen', () => {
  type Keys = (string | ((news: AbortSignal) => Promise<string>))[]

  /** What it shows and asks, on a screen of so many rows, while these keys are typed, and one name to find. */
  async function reviewed(
    database: Database,
    rows: number,
    keys: Keys,
    { columns = 80, name }: { columns?: number; name?: string } = {},
  ) {
    const shown: string[] = []
    const asked: string[] = []
    const prompts = {
      rows: () => rows,
      show: (text: string) => void shown.push(text),
      async key(question: string, news: AbortSignal) {
        asked.push(question)
        const key = keys.shift() ?? 'q'
        return typeof key === 'string' ? key : key(news)
      },
      async line(question: string) {
        asked.push(question)
        return name
      },
      close() {},
    }
    const { tenantId } = office.rental.fleet
    const session = { database, prompts, tenantId, actor: 'Ingrid' }
    await review({ ...session, columns: () => columns, now: () => today })
    return { shown, asked }
  }

  it('has what does not fit in parts, without blank lines, and then begins again', async () => {
    const show = ['bookings', 'show', office.bookings.kari]
    const { out } = await commandLineOn(test.url)(show, { columns: 80, now: today })
    const lines = out.split('\n').filter((line) => line !== '')
    const parts = [lines.slice(0, 10), lines.slice(10, 20), lines.slice(20), lines.slice(0, 10)]
    expect(lines.length).toBeGreaterThan(20)
    const small = await reviewed(test.database, 12, [' ', ' ', ' '])
    expect(small.shown).toEqual(parts.map((part) => `${part.join('\n')}\n`))
    expect(small.asked[0]).toContain('q quit  space more [3] ')
    const large = await reviewed(test.database, 60, [])
    expect(large.shown).toEqual([`${out.trimEnd()}\n`])
    expect(large.asked[0]).toContain('q quit [3] ')
  })

  it('calls decided neither what only the words to find leave out nor what was decided before', async () => {
    const late = await office.rental.book('2030-09-01T08:00:00Z', '2030-09-02T08:00:00Z')
    let began = () => {}
    let looked = () => {}
    const isBegun = new Promise<void>((resolve) => {
      began = resolve
    })
    const isLooked = new Promise<void>((resolve) => {
      looked = resolve
    })
    const atTheSameLook = async (news: AbortSignal) => {
      began()
      await isLooked
      return news.aborted ? '' : 'q'
    }
    const beside = reviewed(test.database, 60, ['s', 's', 's', 'c', 'b', atTheSameLook])
    await isBegun
    const query = vi.spyOn(test.database.pool, 'query')
    const afterALook = async (news: AbortSignal) => {
      const before = query.mock.calls.length
      await waitFor(() => query.mock.calls.length > before)
      await query.mock.results.at(-1)?.value
      await nextTurn()
      looked()
      return news.aborted ? '' : 'q'
    }
    const { shown } = await reviewed(test.database, 60, ['s', 's', 'f', 'b', afterALook], {
      name: 'Normann',
    })
    query.mockRestore()
    const { kari, taro } = office.bookings
    const ids = shown.map((page) => /^Booking (\S{36}): pending/.exec(page)?.[1])
    expect(ids.slice(2)).toEqual([office.bookings.dana, kari, taro])
    const { shown: besides } = await beside
    expect(besides.at(-1)).toContain(`Booking ${late}: confirmed`)
    expect(besides.join()).not.toContain('Someone else')
  })

  it('breaks the keys between words on a narrow screen, and has a row less for each line', async () => {
    const { shown, asked } = await reviewed(test.database, 12, ['r'], { columns: 40 })
    const keys = 'c confirm  r reject  s skip  b back \nf find  q quit  space more [3] '
    const reason = '\nAny text; Enter for no reason, . to go\nback\nReason: '
    expect(asked).toEqual([keys, reason, keys])
    expect(shown[0]?.trimEnd().split('\n')).toHaveLength(9)
  })

  it('still says what was done after a key without a letter', async () => {
    const { shown } = await reviewed(test.database, 60, ['x', '', 's'])
    expect(shown.map((page) => page.includes('"x" is not'))).toEqual([false, true, true, false])
  })

  it('asks whether to try again as long as the database is away', async () => {
    const options = { poolMax: 1, preparedStatements: true, onConnectionLost() {} }
    const away = openDatabase({ url: 'postgres://127.0.0.1:1/none', ...options })
    const { asked } = await reviewed(away, 24, ['x', '', 'c', 'q', 'x'])
    await closeDatabase(away)
    expect(asked).toEqual(
      Array(4).fill('The database is unavailable. Any key: try again, q: quit '),
    )
  })
})
