import { beforeAll, describe, expect, it } from 'vitest'
import { runChecks } from '../../src/conformance/runChecks.ts'
import { useTestApp } from '../helpers/app.ts'
import { aGroup, aKey, aTenant } from '../helpers/seed.ts'
import { addressOf, useBrokenStubs } from './brokenStubs.ts'
import { commandLineOn } from './commandLine.ts'

const server = useTestApp()
const origin = 'https://shop.example'
let apiKey: string
let baseUrl: string

beforeAll(async () => {
  const { database } = server.deps
  const tenantId = await aTenant(database)
  apiKey = (await aKey(database, tenantId, { origins: [origin] })).key
  // The list must exceed the compression threshold.
  await aGroup(database, tenantId, { rate: null, description: 'Roomy. '.repeat(200) })
  await aGroup(database, tenantId)
  baseUrl = addressOf(server.app.server)
})
const brokenStub = useBrokenStubs(() => baseUrl)

const brokenRules = async (url: string) =>
  (await runChecks({ baseUrl: url, apiKey, origin })).findings
    .filter(({ problem }) => problem !== undefined)
    .map(({ rule }) => rule)

describe('conformance kit', () => {
  it('reports that every rule holds for this server', async () => {
    const { findings, bookings } = await runChecks({ baseUrl, apiKey, origin })
    expect(findings.filter(({ problem }) => problem !== undefined)).toEqual([])
    expect(findings.length).toBeGreaterThan(20)
    expect(bookings).toHaveLength(2)
  })

  it('reports one broken rule when the tenant has no groups', async () => {
    const url = await brokenStub((response) => {
      if (response.path.endsWith('/asset-groups') && response.status === 200)
        response.text = '{"data":[]}'
    })
    expect(await brokenRules(url)).toEqual([
      'asset groups, rates and quotes have all fields of the contract',
    ])
  })

  it('detects a server without limit headers', async () => {
    const url = await brokenStub(({ headers }) => headers.delete('x-ratelimit-reset'))
    expect((await brokenRules(url)).length).toBeGreaterThan(15)
  })

  it('detects a server that books a quote twice', async () => {
    const url = await brokenStub((response) => {
      if (response.status !== 409) return
      response.status = 202
    })
    expect(await brokenRules(url)).toEqual([
      'a second booking of a quote gets 409 QUOTE_ALREADY_USED',
      'of two concurrent bookings of a quote, one gets 202 and one 409',
    ])
  })

  it('detects a server that accepts a quote from another session', async () => {
    const url = await brokenStub((response) => {
      if (response.text.includes('QUOTE_SESSION_MISMATCH')) response.status = 202
    })
    expect(await brokenRules(url)).toEqual([
      'a booking from another session gets 403 QUOTE_SESSION_MISMATCH',
    ])
  })

  it('detects a server with wrong Cache-Control or one ETag for every coding', async () => {
    const shared = await brokenStub(({ headers }) => {
      if (headers.has('etag')) headers.set('cache-control', 'public, max-age=30')
    })
    expect(await brokenRules(shared)).toEqual([
      'a list can be cached privately for 30 seconds and revalidated by its ETag',
      'a booking can be cached privately, must be revalidated, and gets 304 for its ETag',
    ])
    const mixed = await brokenStub(({ headers }) => {
      if (headers.has('etag')) headers.set('etag', '"of every form"')
    })
    expect(await brokenRules(mixed)).toContain(
      'a long list is sent in the requested content coding, with a different ETag for each coding',
    )
    const eager = await brokenStub(({ headers, status }) => {
      if (status >= 400) headers.set('cache-control', 'private, max-age=30')
    })
    expect(await brokenRules(eager)).toEqual(['an error response is never cached'])
  })

  it('detects a server whose errors are not JSON or whose replays differ', async () => {
    const prose = await brokenStub((response) => {
      if (response.status === 404) response.text = 'Not Found'
    })
    expect(await brokenRules(prose)).toContain(
      'an unknown path gets 404 NOT_FOUND in the error envelope',
    )
    const forgetful = await brokenStub((response) => {
      if (response.headers.has('idempotent-replayed')) response.text += ' '
    })
    expect(await brokenRules(forgetful)).toEqual([
      'a retry with the same key and body gets the recorded response, marked as a replay',
    ])
  })
})

describe('rental conform', () => {
  it('prints each rule and exits with 0 when all hold', async () => {
    const rental = commandLineOn(server.databaseUrl)
    const argv = ['conform', '--base-url', baseUrl, '--key', apiKey, '--origin', origin]
    const { exitCode, out, error } = await rental(argv)
    expect(exitCode).toBe(0)
    const [, rejects = ''] = /left pending\. .*`rental (.+)`\.\n$/.exec(error) ?? []
    expect((await rental(rejects.split(' '))).out.match(/ is rejected\.$/gm)).toHaveLength(2)
    expect(out).toMatch(/^ok {6}a request without a key gets 401 API_KEY_REQUIRED$/m)
    expect(out).toMatch(/(\d+) of \1 rules hold\.\n$/)
  })

  it('exits with 1 when a rule does not hold', async () => {
    const rental = commandLineOn(server.databaseUrl)
    const url = await brokenStub(({ path, headers }) => {
      headers.delete('location')
      if (path.endsWith('/no-such-path')) headers.set('content-encoding', 'deflate')
    })
    const { exitCode, out } = await rental(['conform', '--base-url', url, '--key', apiKey])
    expect(exitCode).toBe(1)
    expect(out).toContain(
      'FAIL    a booking gets 202, is pending, and can be polled at its Location',
    )
    expect(out.match(/^FAIL/gm)).toHaveLength(2)
    // The bare error message of `fetch`.
    expect(out).not.toContain('terminated')
  })

  it('reports once that the key or origin is rejected or the server unreachable', async () => {
    const rental = commandLineOn(server.databaseUrl)
    const rejected = await rental(['conform', '--base-url', baseUrl, '--key', `${apiKey}x`])
    expect([rejected.exitCode, rejected.out]).toEqual([1, ''])
    expect(rejected.error).toMatch(/^http:\S+ rejects the key: 401 .*API_KEY_INVALID.*\n$/)
    const elsewhere = 'https://www.example.com'
    const argv = ['conform', '--base-url', baseUrl, '--key', apiKey, '--origin', elsewhere]
    const foreign = await rental(argv)
    expect([foreign.exitCode, foreign.out]).toEqual([1, ''])
    expect(foreign.error).toMatch(/^http:\S+ rejects the key from https:.*ORIGIN_NOT_ALLOWED.*\n$/)
    const nowhere = await rental(['conform', '--base-url', 'http://127.0.0.1:1', '--key', apiKey])
    expect([nowhere.exitCode, nowhere.out]).toEqual([1, ''])
    expect(nowhere.error).toMatch(/^http:\/\/127\.0\.0\.1:1 is unreachable: .*\n$/)
  })

  it('reports the wait when the limit of the key is exhausted', async () => {
    let limited = 0
    const url = await brokenStub((response) => {
      response.headers.delete('location')
      if (response.path !== '/api/v1/asset-groups' || response.status !== 200 || limited++ !== 1)
        return
      response.status = 429
      response.headers.set('retry-after', '0')
    })
    const rental = commandLineOn(server.databaseUrl)
    const { out, error } = await rental(['conform', '--base-url', url, '--key', apiKey, '--json'])
    expect(JSON.parse(out)).toMatchObject({ ok: false })
    expect(error).toContain('Rate limit of the key reached: waiting 0 s.\n')
  })
})
