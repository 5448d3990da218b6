import { randomUUID } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { beforeAll, describe, expect, it } from 'vitest'
import { generateApiKey } from '../../../src/auth/keyFormat.ts'
import { createLog } from '../../../src/telemetry/log.ts'
import { aPage, aServer, aVisitor, customer } from '../../helpers/actors.ts'
import { useTestApp } from '../../helpers/app.ts'
import { inDays } from '../../helpers/dates.ts'
import { exchange } from '../../helpers/rawHttp.ts'
import { expectData, expectError } from '../../helpers/responses.ts'
import { aGroup, aKey, aTenant, type SeededKey } from '../../helpers/seed.ts'

const lines: string[] = []
const destination = new PassThrough()
destination.on('data', (data: Buffer) => lines.push(data.toString()))
const log = createLog('trace', destination)
const server = useTestApp({}, { log })
const origin = 'https://shop.example'
let tenant: string
let key: SeededKey
let revoked: SeededKey
let assetGroupId: string

beforeAll(async () => {
  const { database } = server.deps
  tenant = await aTenant(database)
  key = await aKey(database, tenant, { origins: [origin] })
  revoked = await aKey(database, tenant, { revokedAt: new Date(0) })
  assetGroupId = await aGroup(database, tenant)
})

const logged = () =>
  lines
    .join('')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

const secrets =
  /pk_live_\w{8,}|eyJ[\w-]+\.eyJ|Kari|Nordmann|kari@example|12 34 56 78|Breaker|x@y\.z|1234567890/i

/** Sends bookings, requests that are rejected and malformed requests. */
async function broadRun(): Promise<void> {
  const partner = aServer(server, key.key)
  const visitor = await aVisitor(server, key.key, origin)
  const period = { assetGroupId, pickupDatetime: inDays(3), dropoffDatetime: inDays(4) }
  for (const actor of [partner, visitor]) {
    const { quoteId } = expectData(await actor.post('/quotes', period), 201)
    const booking = expectData(await actor.book({ quoteId, customer, notes: 'Kari waits' }), 202)
    expectData(await actor.get(`/bookings/${booking.bookingId}`), 200)
  }
  expectError(
    await partner.get(`/bookings/${randomUUID()}?email=kari@example.com`),
    404,
    'NOT_FOUND',
  )
  expectError(await aServer(server, generateApiKey()).get('/asset-groups'), 401, 'API_KEY_INVALID')
  expectError(await aServer(server, revoked.key).get('/asset-groups'), 401, 'API_KEY_REVOKED')
  const foreign = aPage(server, key.key, 'https://evil.example')
  expectError(await foreign.get('/asset-groups'), 403, 'ORIGIN_NOT_ALLOWED')
  await server.http.get(`/api/v1/kari@example.com/${key.key}?api_key=${key.key}`)
  await exchange(server, `GET /${key.key} HTTP/1.1\r\nKari Nordmann\r\n\r\n`)
}

describe('request log', () => {
  it('writes JSON lines with key, route and duration, without personal data or secrets', async () => {
    await broadRun()
    const responses = logged().filter(({ msg }) => msg === 'request completed')
    expect(responses.length).toBeGreaterThan(10)
    for (const line of responses) {
      expect(line.reqId).toMatch(/^[\da-f]{8}-/)
      expect(line.status).toEqual(expect.any(Number))
    }
    const ofKey = responses.filter(({ keyId }) => keyId === key.id)
    for (const line of ofKey) {
      expect(line).toMatchObject({ tenantId: tenant, durationMs: expect.any(Number) })
      expect(line.route).toMatch(/^\/api\/v1\//)
    }
    expect(new Set(ofKey.map(({ code }) => code))).toContain('ORIGIN_NOT_ALLOWED')
    const booked = { method: 'POST', route: '/api/v1/bookings', status: 202 }
    expect(ofKey).toContainEqual(expect.objectContaining(booked))
    // Log durations in milliseconds must match the metrics in seconds.
    const text = await server.deps.metrics.text()
    const sums = text.matchAll(/^rental_http_request_duration_seconds_sum\{.*\} (.*)$/gm)
    const measuredSeconds = [...sums].reduce((total, [, seconds]) => total + Number(seconds), 0)
    const loggedMs = responses.reduce((total, { durationMs = 0 }) => total + durationMs, 0)
    expect(loggedMs / measuredSeconds / 1_000).toBeCloseTo(1, 0)
    // Requests that cannot be parsed are logged too.
    const unread = responses.filter(({ method, code }) => !method && code === 'VALIDATION_ERROR')
    expect(unread.map(({ status }) => status)).toContain(400)
    // The key id identifies clients that still use a revoked key.
    expect(responses).toContainEqual(
      expect.objectContaining({ keyId: revoked.id, code: 'API_KEY_REVOKED', status: 401 }),
    )
    expect(lines.join('')).not.toMatch(secrets)
    expect(lines.join('')).not.toContain(key.key.slice(8))
  })

  it('logs probes at debug, also failed ones', async () => {
    for (const path of ['/healthz?a', '/readyz', '/metrics']) await server.http.get(path)
    server.deps.lifecycle.draining = true
    await server.http.get('/readyz')
    server.deps.lifecycle.draining = false
    const debug = 20
    const levels = logged()
      .filter(({ route }) => /^.(healthz|readyz|metrics)$/.test(route))
      .map(({ route, status, level }) => [route, status, level])
    expect(levels).toEqual([
      ['/healthz', 200, debug],
      ['/readyz', 200, debug],
      ['/metrics', 200, debug],
      ['/readyz', 503, debug],
    ])
  })

  it('logs a database error with its code and constraint, without personal data', async () => {
    const { database } = server.deps
    const partner = aServer(server, key.key)
    const period = { assetGroupId, pickupDatetime: inDays(3), dropoffDatetime: inDays(4) }
    const { quoteId } = expectData(await partner.post('/quotes', period), 201)
    await database.pool.query(
      `alter table bookings add constraint no_such_person check (customer_last_name <> 'Breaker')`,
    )
    const body = { quoteId, customer: { ...customer, lastName: 'Breaker' } }
    expectError(await partner.book(body), 500, 'INTERNAL_ERROR')
    await database.pool.query('alter table bookings drop constraint no_such_person')
    const failure = logged().find(({ msg }) => msg === 'request failed')
    expect(failure.level).toBe(50)
    expect(failure.err).toMatchObject({ code: '23514', constraint: 'no_such_person' })
    expect(failure.err.stack).toContain('at ')
    expect(lines.join('')).not.toMatch(secrets)
  })
})
