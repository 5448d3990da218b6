import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import stringWidth from 'string-width'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fleetOf } from '../helpers/fleet.ts'
import { type OpenTestDatabase, openTestDatabase } from '../helpers/openTestDatabase.ts'
import { openRental } from '../helpers/rental.ts'
import { commandLineOn, wordsOf } from './commandLine.ts'
import { documentTable, readJsonDocuments } from './jsonDocuments.ts'
import { openOffice, today } from './office.ts'

const root = join(import.meta.dirname, '../..')
const page = join(root, 'docs/cli.md')

/** As the page calls them; databases choose others each time. */
const bookingIds = {
  ola: '0a7f31c2-58d4-4be0-9c1e-2f60a1b7d301',
  kari: '4f1c2a9e-6b0d-4c57-9a51-7d1f0c7f5a11',
  taro: '7d2b04e8-1c3f-4a6e-8b92-5e0d9f4c6a22',
  dana: '9e8d7c6b-5a4f-4e3d-8c2b-1a0f9e8d7c33',
  per: 'c4b3a291-0f8e-4d7c-9b6a-5f4e3d2c1b44',
  max: '52d0c7e8-91ab-4f3e-a6d5-0c9b8a7f6e55',
}

let test: OpenTestDatabase
/** Pairs of an id in the database and the one in the page. */
let ids: (readonly [own: string, shown: string])[]
beforeAll(async () => {
  test = await openTestDatabase()
  const van = fleetOf(2, 'harbour-vans')
  van.tenant.name = 'Harbour Vans'
  for (const group of van.assetGroups) {
    group.name = 'Passenger van with nine seats, long wheelbase and tow bar'
  }
  const harbour = await openRental(test.database, van)
  const customer = {
    ...{ firstName: 'Maximilian-Alexander', lastName: 'von Hohenlohe-Langenburg' },
    email: 'max@example.com',
  }
  const max = await harbour.book('2030-03-09T10:00:00Z', '2030-03-16T10:00:00Z', { customer })
  const bookings = { max, ...(await openOffice(test.database)).bookings }
  const { rows } = await test.database.pool.query('select id, quote_id from bookings')
  const quoteOf = (id: string) => rows.find((row) => row.id === id)?.quote_id
  ids = Object.entries(bookingIds).flatMap(([name, shown]) => {
    const own = bookings[name as keyof typeof bookings]
    return [[own, shown] as const, [quoteOf(own), `e${shown.slice(1)}`] as const]
  })
})
afterAll(() => test.drop())

/** Replaces ids and what they begin with; both have the same length, so columns stay. */
function renamed(text: string, pairs: readonly (readonly [from: string, to: string])[]): string {
  return pairs.reduce(
    (before, [from, to]) =>
      before.replaceAll(from, to).replaceAll(from.slice(0, 8), to.slice(0, 8)),
    text,
  )
}

/** What a line of a shell prints in so many columns; keys may be piped in. */
async function screen(line: string, columns: number): Promise<string> {
  const [, keys = '', words = ''] = /^(?:printf '(.*)' \| )?rental (.*)$/.exec(line) ?? []
  const own = renamed(
    words,
    ids.map(([from, to]) => [to, from]),
  )
  const stdin = keys.replaceAll('\\n', '\n')
  const options = { stdin, columns, now: today }
  const run = commandLineOn(test.url, { RENTAL_OPERATOR: 'Ingrid' })
  const { out, error } = await run(wordsOf(own), options)
  return renamed(out + error, ids).replace(/Ingrid, \d{4}-[\d :-]+/g, 'Ingrid, 2030-03-01 10:00')
}

it('docs/cli.md shows what the commands print, in 80 columns and where it says so in more', async () => {
  let text = readFileSync(page, 'utf8')
  const blocks = [
    ...text.matchAll(/(?<=^```console ?)(\d+)?\n(\$ .*\n)(?:(?!```$).*\n)*(?=```$)/gm),
  ]
  expect(blocks).toHaveLength(text.match(/^```console/gm)?.length ?? 0)
  for (const [block, columns = '80', line = ''] of blocks) {
    const shown = await screen(line.slice(2).trim(), Number(columns))
    for (const each of shown.split('\n')) {
      expect(stringWidth(each)).toBeLessThanOrEqual(Number(columns))
    }
    text = text.replace(block, () => `${block.slice(0, block.indexOf(line))}${line}${shown}`)
  }
  const [before = '', after = ''] = text.split(
    /(?<=<!-- documents -->\n)[\s\S]*(?=\n<!-- \/documents -->)/,
  )
  // `npx vitest run test/operator/screens.test.ts --update=all` writes the page anew.
  await expect(`${before}${documentTable(await readJsonDocuments())}${after}`).toMatchFileSnapshot(
    page,
  )
})
