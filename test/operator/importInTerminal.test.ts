import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type OpenTestDatabase, openTestDatabase } from '../helpers/openTestDatabase.ts'
import { commandLineOn } from './commandLine.ts'
import { inTerminal } from './inTerminal.ts'
import { openOffice } from './office.ts'

let test: OpenTestDatabase
beforeEach(async () => {
  test = await openTestDatabase()
  await openOffice(test.database)
})
afterEach(() => test.drop())

/** A review that is piped waits for no key: it would hold up all that comes behind it. */
const pipedReview = '"$1" "$2" bookings review --tenant fjord-cars --as Kari | cat'

describe('an import of nothing in a terminal', () => {
  it.each([
    ['Enter alone', ['Enter'], ':'],
    ['Ctrl-C', ['C-c'], ':'],
    ['"nay" on a screen of unknown size', ['nay', 'Enter'], `stty cols 0 rows 0; ${pipedReview}`],
  ])('asks before it archives a fleet, and takes %s for no', async (_, keys, setUp) => {
    const run = commandLineOn(test.url)
    const { out } = await run(['fleet', 'export', '--tenant', 'fjord-cars'])
    const directory = await mkdtemp(join(tmpdir(), 'fleet-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    const path = join(directory, 'fleet.json')
    await writeFile(path, JSON.stringify({ ...JSON.parse(out), assetGroups: [] }))
    const terminal = await inTerminal(test.url, ['fleet', 'import', path], setUp)
    onTestFinished(terminal.close)
    await terminal.shows('[y/N]')
    await terminal.type(...keys)
    await terminal.shows('repeat it with --yes')
    expect(await terminal.screen()).toMatch(/\n4 of .*Nothing/)
    expect((await run(['fleet', 'export', '--tenant', 'fjord-cars'])).out).toBe(out)
  })
})

describe('a fleet file typed into a terminal', () => {
  it('is refused like one that is piped, since its end leaves nobody to ask', async () => {
    const { out } = await commandLineOn(test.url)(['fleet', 'export', '--tenant', 'fjord-cars'])
    const terminal = await inTerminal(test.url, ['fleet', 'import', '-'])
    onTestFinished(terminal.close)
    await terminal.type(JSON.stringify({ tenant: JSON.parse(out).tenant }), 'Enter', 'C-d')
    await terminal.shows('repeat it with --yes')
  })
})
