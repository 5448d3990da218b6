import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, aPage, aServer } from '../../helpers/actors.ts'
import { useTestApp } from '../../helpers/app.ts'
import { expectData, expectInvalid } from '../../helpers/responses.ts'
import { aKey, aTenant } from '../../helpers/seed.ts'

const server = useTestApp()
const origin = 'https://shop.example'
let page: Actor
let partner: Actor

beforeAll(async () => {
  const { database } = server.deps
  const { key } = await aKey(database, await aTenant(database), { scopes: [], origins: [origin] })
  page = aPage(server, key, origin)
  partner = aServer(server, key)
})

describe('POST /sessions', () => {
  it('returns a JWT valid for one hour when the origin is allowed', async () => {
    const response = await page.post('/sessions')
    const { sessionToken, expiresAt } = expectData(response, 201)
    const nowSeconds = Math.floor(server.clock.now().getTime() / 1000)
    expect(Date.parse(expiresAt)).toBe((nowSeconds + 3600) * 1000)
    const claims = JSON.parse(Buffer.from(sessionToken.split('.')[1], 'base64url').toString())
    expect(claims).toMatchObject({ iat: nowSeconds, exp: nowSeconds + 3600, origin })
    expect(response.headers['cache-control']).toBe('no-store')
  })

  it.each([
    ['an empty JSON object', 'application/json', '{}'],
    ['the JSON type without a body', 'application/json', ''],
    ['unknown fields', 'application/json', '{"x":1}'],
    ['a text body', 'text/plain', 'hello'],
    ['an invalid content type', 'text', 'hello'],
  ])('accepts %s', async (_, type, body) => {
    expectData(await page.post('/sessions', undefined, { 'content-type': type }).send(body), 201)
  })

  it('rejects a request without an Origin header with 400', async () => {
    expectInvalid(await partner.post('/sessions'), 'headers.origin')
  })
})
