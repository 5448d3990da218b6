import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectData, expectError } from '../helpers/answers.ts'
import { useTestApp } from '../helpers/app.ts'
import { ask, bytesOf, connectTo, exchange, type RawAnswer } from '../helpers/rawHttp.ts'
import { waitFor } from '../helpers/waitFor.ts'
import { anywhere } from './nasty/anywhere.ts'
import { bodies } from './nasty/bodies.ts'
import { bookingFields } from './nasty/bookingFields.ts'
import { bookingWith, type Wanted } from './nasty/case.ts'
import { quoteFields } from './nasty/quoteFields.ts'
import { wire } from './nasty/wire.ts'
import { aWorld, type World } from './nasty/world.ts'

const server = useTestApp()
let world: World
beforeAll(async () => {
  world = await aWorld(server)
})

/** Of the processor, whatever else the machine does: all requests but these take milliseconds. */
const workMaxMs = 3_000
const workMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Business refusals are recorded (decision 33); all others leave no trace. */
const recorded = ['QUOTE_NOT_FOUND', 'QUOTE_SESSION_MISMATCH']

async function rowCount(): Promise<number> {
  const { rows } = await server.deps.database.orm.execute<{ count: number }>(
    sql`select ((select count(*) from quotes) + (select count(*) from bookings)
      + (select count(*) from idempotency_records))::int as count`,
  )
  return rows[0]?.count ?? 0
}

function check(answer: RawAnswer, { status, code, paths = [] }: Wanted): void {
  for (const name of ['x-request-id', 'x-content-type-options', 'vary']) {
    expect(answer.headers[name]).toEqual(expect.any(String))
  }
  expect(answer.text).not.toContain(world.key)
  if (code === undefined) {
    expectData(answer, status)
    return
  }
  // The envelope and the headers are the same, whatever the status of a code.
  expectError(answer, status, code)
  const named: unknown[] = (answer.body.error.details ?? []).map(
    (detail: { path: string }) => detail.path,
  )
  expect(named).toEqual(expect.arrayContaining([...paths]))
}

const cases = [...bodies, ...bookingFields, ...quoteFields, ...anywhere]

describe('nasty inputs', () => {
  it.each(cases)('%s %s', async (_, __, request, wanted) => {
    const sent = await request(world)
    const before = await rowCount()
    const startedMs = workMs()
    check(await ask(server, sent), wanted)
    expect(workMs() - startedMs).toBeLessThan(workMaxMs)
    if (wanted.code !== undefined && !recorded.includes(wanted.code)) {
      expect(await rowCount()).toBe(before)
    }
    expect(Object.keys(Object.prototype)).not.toContain('polluted')
  })
})

describe('nasty bytes', () => {
  // A second request behind each, which a server that lost count would answer too.
  const smuggled = 'GET /api/v1/asset-groups HTTP/1.1\r\nHost: x\r\nX-Api-Key: KEY\r\n\r\n'

  it.each(wire)('%s %s', async (_, __, bytes, wanted) => {
    const closes = /^Connection: close/m.test(bytes)
    const sent = (closes ? bytes : bytes + smuggled).replaceAll('KEY', world.key)
    const [answer, ...others] = await exchange(server, Buffer.from(sent, 'latin1'))
    expect(others).toEqual([])
    expect([answer?.status, answer?.body.error?.code]).toEqual([wanted.status, wanted.code])
    expect(answer?.headers['connection']).toBe('close')
  })

  it('N-68 clients that hang up at once make one booking at most each', async () => {
    const requests = await Promise.all(
      Array.from({ length: 100 }, () => bookingWith({ notes: 'gone' })(world)),
    )
    for (const request of requests) {
      const socket = connectTo(server)
      socket.on('error', () => {})
      socket.write(bytesOf(request), () => socket.resetAndDestroy())
    }
    for (const request of requests) {
      const answer = await waitFor(async () => {
        const again = await ask(server, request)
        return again.status === 409 ? undefined : again
      })
      expectData(answer, 202)
    }
    const { rows } = await server.deps.database.orm.execute<{ count: number }>(
      sql`select count(*)::int as count from bookings where notes = 'gone'`,
    )
    expect(rows[0]?.count).toBe(100)
  })
})
