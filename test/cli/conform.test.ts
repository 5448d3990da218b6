import { beforeAll, describe, expect, it } from 'vitest'
import { browserRules, rules } from '../../src/conformance/rules.ts'
import { runChecks } from '../../src/conformance/runChecks.ts'
import { useTestApp } from '../helpers/app.ts'
import { aGroup, aKey, aTenant } from '../helpers/seed.ts'
import { addressOf, type Passing, useBrokenStubs } from './brokenStubs.ts'
import { commandLineOn } from './commandLine.ts'

const server = useTestApp()
const origin = 'https://shop.example'
let apiKey: string
let tenantId: string
let baseUrl: string

beforeAll(async () => {
  const { database } = server.deps
  tenantId = await aTenant(database)
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
    const { findings } = await runChecks({ baseUrl, apiKey, origin })
    expect(findings.filter(({ problem }) => problem !== undefined)).toEqual([])
    expect(findings).toHaveLength(rules.length + browserRules.length)
  })

  it('reports that every rule holds for a key of websites only, with its origin', async () => {
    const { key } = await aKey(server.deps.database, tenantId, {
      origins: [origin],
      browserOnly: true,
    })
    const { findings } = await runChecks({ baseUrl, apiKey: key, origin })
    expect(findings.filter(({ problem }) => problem !== undefined)).toEqual([])
    await expect(runChecks({ baseUrl, apiKey: key })).rejects.toThrow('Add --origin')
  })

  it.each<[string, (response: Passing) => void, string]>([
    [
      'a public cache of bookings',
      ({ path, headers }) => {
        if (path.includes('/bookings/')) headers.set('cache-control', 'public, max-age=30')
      },
      'a booking is pending, and must be revalidated by caches',
    ],
    [
      'cached errors',
      ({ headers, status }) => {
        if (status >= 400) headers.set('cache-control', 'private, max-age=30')
      },
      'an unknown path gets 404 NOT_FOUND in the error envelope, which is not cached',
    ],
    [
      'errors that are not JSON',
      (response) => {
        if (response.status === 404) response.text = 'Not Found'
      },
      'an unknown path gets 404 NOT_FOUND in the error envelope, which is not cached',
    ],
    [
      'a replay with another body',
      (response) => {
        if (response.headers.has('idempotent-replayed')) response.text += ' '
      },
      'a retry with the same key and body gets the recorded response, marked as a replay',
    ],
    [
      'uncompressed lists',
      ({ headers }) => headers.delete('content-encoding'),
      'a long list is sent compressed',
    ],
  ])('reports one broken rule of a server with %s', async (_, spoil, rule) => {
    expect(await brokenRules(await brokenStub(spoil))).toEqual([rule])
  })

  it('rejects a deployment without a group that can be quoted', async () => {
    const url = await brokenStub((response) => {
      if (response.path.endsWith('/asset-groups')) response.text = '{"data":[]}'
    })
    await expect(brokenRules(url)).rejects.toThrow('No asset group of the tenant can be quoted')
  })

  it('detects a server without limit headers', async () => {
    const url = await brokenStub(({ headers }) => headers.delete('x-ratelimit-reset'))
    expect((await brokenRules(url)).length).toBeGreaterThan(2)
  })
})

describe('rental conform', () => {
  it('prints each rule and exits with 0 when all hold', async () => {
    const rental = commandLineOn(server.databaseUrl)
    const argv = ['conform', '--base-url', baseUrl, '--key', apiKey, '--origin', origin]
    const { exitCode, out, error } = await rental(argv)
    expect(exitCode).toBe(0)
    const [, rejects = ''] = /is left pending\. .*`rental (.+)`\.\n$/.exec(error) ?? []
    expect((await rental(rejects.split(' '))).out.match(/ is rejected: .*\.$/gm)).toHaveLength(1)
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
    expect(out).toContain('FAIL    a booking gets 202 with its Location')
    expect(out.match(/^FAIL/gm)).toHaveLength(2)
    // The bare error message of `fetch`.
    expect(out).not.toContain('terminated')
  })

  it('reports once that the key or origin is rejected or the server unreachable', async () => {
    const rental = commandLineOn(server.databaseUrl)
    const rejected = await rental(['conform', '--base-url', baseUrl, '--key', `${apiKey}x`])
    expect([rejected.exitCode, rejected.out]).toEqual([1, ''])
    expect(rejected.error).toMatch(
      /^http:\S+ rejects the key or origin: 401 .*API_KEY_INVALID.*\n$/,
    )
    const elsewhere = 'https://www.example.com'
    const argv = ['conform', '--base-url', baseUrl, '--key', apiKey, '--origin', elsewhere]
    const foreign = await rental(argv)
    expect([foreign.exitCode, foreign.out]).toEqual([1, ''])
    expect(foreign.error).toMatch(
      /^http:\S+ rejects the key or origin: 403 .*ORIGIN_NOT_ALLOWED.*\n$/,
    )
    const nowhere = await rental(['conform', '--base-url', 'http://127.0.0.1:1', '--key', apiKey])
    expect([nowhere.exitCode, nowhere.out]).toEqual([1, ''])
    expect(nowhere.error).toMatch(/^http:\/\/127\.0\.0\.1:1 is unreachable: .*\n$/)
  })
})
