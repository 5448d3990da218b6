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
  it('gives a JWT valid for one hour, to any key whose origin passes', async () => {
    const answer = await page.post('/sessions')
    const { sessionToken, expiresAt } = expectData(answer, 201)
    const nowSeconds = Math.floor(server.clock.now().getTime() / 1000)
    expect(Date.parse(expiresAt)).toBe((nowSeconds + 3600) * 1000)
    const claims = JSON.parse(Buffer.from(sessionToken.split('.')[1], 'base64url').toString())
    expect(claims).toMatchObject({ iat: nowSeconds, exp: nowSeconds + 3600, origin })
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it.each([
    ['an empty JSON object', 'application/json', '{}'],
    ['JSON announced but no body', 'application/json', ''],
    ['fields nobody asked for', 'application/json', '{"x":1}'],
    ['text', 'text/plain', 'hello'],
    ['a type that is none', 'text', 'hello'],
  ])('does not mind %s', async (_, type, body) => {
    expectData(await page.post('/sessions', undefined, { 'content-type': type }).send(body), 201)
  })

  it('refuses servers with 400: there is no origin to bind the session to', async () => {
    expectInvalid(await partner.post('/sessions'), 'headers.origin')
  })
})
