import { spawnSync } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useTestApp } from '../../helpers/app.ts'
import { demoKey } from '../../helpers/demoKey.ts'
import { runGuide, runGuideCommands } from '../../helpers/guidePrograms.ts'
import { losses, startLosingProxy } from '../../helpers/losingProxy.ts'
import { snippetsOf } from '../../helpers/snippets.ts'

const server = useTestApp()
let key: string
beforeAll(async () => {
  key = await demoKey(server.deps)
})
const at = () => ({
  address: `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`,
  key,
})
const isInstalled = (program: string) => spawnSync(program, ['--version']).status === 0
/** `npm run test:generators` needs both languages, and fails without them. */
const languages = (['python', 'php'] as const).filter((language) =>
  isInstalled(language.replace('python', 'python3')),
)

const notCompared = ['breakdown', 'imageUrl', 'soldOut']

/** Returns the names of all fields of a value, without those of a breakdown or sold-out period. */
const fieldsOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map(fieldsOf)
  if (typeof value !== 'object' || value === null) return typeof value
  const fields = Object.entries(value).map(([name, inner]) => [
    name,
    inner === null || notCompared.includes(name) ? 'any' : fieldsOf(inner),
  ])
  return Object.fromEntries(fields)
}

describe('programs of the guide', () => {
  it('books with the curl commands, whose responses have the fields shown', async () => {
    const responses = await runGuideCommands(at())
    expect(responses.at(-1)).toMatchObject({ data: { status: 'pending' } })
    const shown = (await snippetsOf('docs/integrate.md', 'json')).map((text) => JSON.parse(text))
    expect(responses.slice(0, shown.length).map(fieldsOf)).toEqual(shown.map(fieldsOf))
  })

  it.each(languages)('books with the %s program', async (language) => {
    expect(await runGuide(language, at())).toMatch(
      /^.+: .+\n\d+ available\n\d+\.\d\d NOK\n[\da-f-]{36}\npending\n$/,
    )
  })

  it.each(languages)(
    'prints the message of the API in %s when a request fails',
    async (language) => {
      const failing = runGuide(language, { ...at(), key: 'pk_live_cut' })
      const output = await failing.catch(({ stdout, stderr }) => stdout + stderr)
      expect(output).toContain('This API key is cut off or mistyped')
    },
  )
})

describe('booking requests of the guide', () => {
  let proxy: Awaited<ReturnType<typeof startLosingProxy>>
  beforeAll(async () => {
    proxy = await startLosingProxy(at().address)
  })
  afterAll(() => proxy.stop())
  // Otherwise the vehicles of the first group are soon sold out.
  beforeEach(async () => {
    await server.deps.database.pool.query("update bookings set status = 'cancelled'")
  })

  const through = () => ({ address: proxy.address, key, timeoutSeconds: 2 })
  /** Runs a program until it has a booking, and returns what it prints. */
  const book = async (language: 'curl' | (typeof languages)[number]) =>
    language === 'curl'
      ? JSON.stringify(await runGuideCommands(through()))
      : runGuide(language, through())
  const bookingCount = async () => {
    const { rows } = await server.deps.database.pool.query('select from bookings')
    return rows.length
  }

  const { 'a 429 of a day': ofDay, ...once } = losses
  const programs = ['curl' as const, ...languages]
  const cases = programs.flatMap((language) =>
    Object.entries(once).map(([name, loss]) => [language, name, loss] as const),
  )
  it.each(cases)('make one booking in %s in spite of %s', async (language, _, loss) => {
    const before = await bookingCount()
    proxy.lose(loss, 1)
    expect(await book(language)).toContain('pending')
    expect((await bookingCount()) - before).toBe(1)
  })

  it.each(programs)('end in %s with a sentence when the response stays lost', async (language) => {
    const before = await bookingCount()
    proxy.lose(once['a 502 in HTML'], 5)
    const failed = book(language).catch(({ stdout, stderr, message }) => stdout + stderr + message)
    expect(await failed).toMatch(/Try again later; a booking with the same key\.|Bad gateway/)
    expect((await bookingCount()) - before).toBe(1)
  })

  it.each(programs)('end in %s at once when the limit of a day is reached', async (language) => {
    proxy.lose(ofDay, 1)
    const failed = book(language).catch(({ stdout, stderr, message }) => stdout + stderr + message)
    expect(await failed).toContain('Refused with RATE_LIMITED.')
  })
})
