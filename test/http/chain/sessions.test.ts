import { createHash, createHmac, generateKeyPairSync, randomUUID } from 'node:crypto'
import { exportJWK, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { aPage, aServer } from '../../helpers/actors.ts'
import { sessionSecret, useTestApp } from '../../helpers/app.ts'
import { inDays } from '../../helpers/dates.ts'
import { expectData, expectError } from '../../helpers/responses.ts'
import { aGroup, aKey, aTenant, type SeededKey } from '../../helpers/seed.ts'

const server = useTestApp()
const origin = 'https://shop-a.example'
const otherOrigin = 'https://shop-b.example'
let key: SeededKey
let otherKey: SeededKey
let foreignKey: SeededKey
let body: object

beforeAll(async () => {
  const { database } = server.deps
  const tenant = await aTenant(database)
  const origins = [origin, otherOrigin]
  key = await aKey(database, tenant, { origins })
  otherKey = await aKey(database, tenant, { origins })
  foreignKey = await aKey(database, await aTenant(database), { origins })
  const assetGroupId = await aGroup(database, tenant)
  body = { assetGroupId, pickupDatetime: inDays(5), dropoffDatetime: inDays(6) }
})

const nowSeconds = () => Math.floor(server.clock.now().getTime() / 1000)
const quoteWith = (token: string, from = origin, by = key.key) =>
  aPage(server, by, from).post('/quotes', body, { 'x-session-token': token })
const sessionOf = async (by = key.key, from = origin) =>
  expectData(await aPage(server, by, from).post('/sessions'), 201)
const expectInvalidSession = async (token: string) =>
  expectError(await quoteWith(token), 401, 'SESSION_INVALID')

const kid = createHash('sha256').update(`kid:${sessionSecret}`).digest('base64url').slice(0, 8)
const header = { alg: 'HS256', typ: 'rental-session+jwt', kid }
const claims = (): JWTPayload => ({
  iss: 'rental-booking-api',
  aud: 'rental-public-api',
  sub: key.id,
  origin,
  jti: randomUUID(),
  iat: nowSeconds(),
  exp: nowSeconds() + 3600,
})

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
/** Signs without jose, which refuses to create most of these tokens. */
function sign(payload: object, head: object = header, secret = sessionSecret): string {
  const signed = `${encode(head)}.${encode(payload)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

describe('valid session', () => {
  it('accepts a token signed by the test or created by POST /sessions', async () => {
    expectData(await quoteWith(sign(claims())), 201)
    expectData(await quoteWith((await sessionOf()).sessionToken), 201)
  })

  it('rejects a token as soon as the time of its exp claim is reached', async () => {
    const { sessionToken, expiresAt } = await sessionOf()
    const { exp } = JSON.parse(Buffer.from(sessionToken.split('.')[1], 'base64url').toString())
    expect(exp * 1000).toBe(Date.parse(expiresAt))
    expect(exp).toBe(nowSeconds() + 3600)
    // Passes the time explicitly because the other tests share the clock of the server.
    const [at, binding] = [
      (seconds: number) => new Date(seconds * 1000),
      { apiKeyId: key.id, origin },
    ]
    const { verify } = server.deps.sessionTokens
    await expect(verify(sessionToken, binding, at(exp - 1))).resolves.toEqual(expect.any(String))
    await expect(verify(sessionToken, binding, new Date(exp * 1000 - 1))).resolves.toBeTruthy()
    for (const late of [0, 1, 6, 86_400]) {
      await expect(verify(sessionToken, binding, at(exp + late))).rejects.toMatchObject({
        code: 'SESSION_EXPIRED',
      })
    }
  })

  it('rejects an expired token with 401 SESSION_EXPIRED', async () => {
    const past = { iat: nowSeconds() - 3600, exp: nowSeconds() }
    expectError(await quoteWith(sign({ ...claims(), ...past })), 401, 'SESSION_EXPIRED')
  })

  it('ignores a session token sent by a server', async () => {
    const partner = aServer(server, key.key)
    expectData(await partner.post('/quotes', body, { 'x-session-token': 'nonsense' }), 201)
  })
})

describe('token signature', () => {
  it.each(['none', 'None', 'nOnE', 'NONE', '', 'hs256', 'HS384', 'HS512', 'RS256', 'ES256'])(
    'rejects a signed or unsigned token with the alg "%s"',
    async (alg) => {
      const signed = sign(claims(), { ...header, alg })
      await expectInvalidSession(signed)
      await expectInvalidSession(signed.slice(0, signed.lastIndexOf('.') + 1))
      await expectInvalidSession(signed.slice(0, signed.lastIndexOf('.')))
    },
  )

  it.each(['another-secret-for-tests-of-32-bytes-or-more', 'secret', '', kid])(
    'rejects a token signed with the secret "%s"',
    async (secret) => {
      await expectInvalidSession(sign(claims(), header, secret))
    },
  )

  it.each([
    ['RS256', generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
  ])(
    'rejects a token signed with %s and its own key in the header',
    async (alg, { privateKey, publicKey }) => {
      const jwk = await exportJWK(publicKey)
      const made = async (extra: Partial<JWTHeaderParameters>) =>
        new SignJWT(claims()).setProtectedHeader({ ...header, alg, ...extra }).sign(privateKey)
      await expectInvalidSession(await made({ jwk }))
      // Nothing listens on port 9: an immediate response shows that the URL was not fetched.
      await expectInvalidSession(await made({ jku: 'http://127.0.0.1:9/jwks.json', kid: 'mine' }))
      await expectInvalidSession(await made({ x5u: 'http://127.0.0.1:9/cert.pem' }))
      // The public key used as the HMAC secret.
      const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
      await expectInvalidSession(sign(claims(), header, pem))
    },
  )
})

describe('token header', () => {
  it.each<[string, object]>([
    ['a path as kid', { kid: '../../etc/passwd' }],
    ['SQL as kid', { kid: "' or 1=1--" }],
    ['10 KB of kid', { kid: 'k'.repeat(10_000) }],
    ['another kid', { kid: 'unknown' }],
    ['a kid that is not a string', { kid: 7 }],
    ['__proto__ as kid', { kid: '__proto__' }],
    ['no kid', { kid: undefined }],
    ['no type', { typ: undefined }],
    ['the common type', { typ: 'JWT' }],
    ['an unknown crit', { crit: ['x'], x: 1 }],
    ['an unencoded payload', { b64: false, crit: ['b64'] }],
  ])('rejects a token header with %s', async (_, change) => {
    await expectInvalidSession(sign(claims(), { ...header, ...change }))
  })
})

describe('token claims', () => {
  it.each<[string, () => object]>([
    ['no exp', () => ({ exp: undefined })],
    ['exp in 9999', () => ({ exp: 253_402_300_799 })],
    ['exp as text', () => ({ exp: String(nowSeconds() + 60) })],
    ['a negative exp and no iat', () => ({ exp: -1, iat: undefined })],
    ['a lifetime of an hour and a second', () => ({ exp: nowSeconds() + 3601 })],
    ['a fractional exp', () => ({ exp: nowSeconds() + 0.5 })],
    ['no iat', () => ({ iat: undefined })],
    ['iat in the future', () => ({ iat: nowSeconds() + 3500, exp: nowSeconds() + 3600 })],
    ['nbf in the future', () => ({ nbf: nowSeconds() + 3500 })],
    ['no jti', () => ({ jti: undefined })],
    ['a jti that is not a UUID', () => ({ jti: "' or 1=1--" })],
    ['no origin', () => ({ origin: undefined })],
    ['another origin', () => ({ origin: otherOrigin })],
    ['the null origin', () => ({ origin: null })],
    ['a list of origins', () => ({ origin: [origin] })],
    ['the id of another key of the tenant', () => ({ sub: otherKey.id })],
    ["the id of another tenant's key", () => ({ sub: foreignKey.id })],
    ['the API key instead of its id', () => ({ sub: key.key })],
    ['another issuer', () => ({ iss: 'rental-booking-api-staging' })],
    ['another audience', () => ({ aud: 'dashboard' })],
    ['the id of another key and a past exp', () => ({ sub: otherKey.id, iat: 1, exp: 3601 })],
    ['another origin and a past exp', () => ({ origin: otherOrigin, iat: 1, exp: 3601 })],
  ])('rejects token claims with %s', async (_, change) => {
    await expectInvalidSession(sign({ ...claims(), ...change() }))
  })

  // The clocks of replicas may differ by some seconds.
  it('accepts a token issued up to 30 seconds ahead of the clock and rejects a later one', async () => {
    const ahead = (seconds: number) =>
      sign({ ...claims(), iat: nowSeconds() + seconds, exp: nowSeconds() + 3600 })
    const binding = { apiKeyId: key.id, origin }
    const onTheSecond = new Date(nowSeconds() * 1000)
    const verify = (token: string) =>
      server.deps.sessionTokens.verify(token, binding, onTheSecond).catch(({ code }) => code)
    expect(await verify(ahead(30))).toMatch(/^[\da-f-]{36}$/)
    expect(await verify(ahead(31))).toBe('SESSION_INVALID')
    await expectInvalidSession(ahead(60))
  })
})

describe('token spelling', () => {
  it.each<[string, (token: string) => string]>([
    ['four parts', (token) => `${token}.e30`],
    ['two parts', (token) => token.slice(0, token.indexOf('.', 60))],
    ['Bearer in front', (token) => `Bearer ${token}`],
    ['dots only', () => '..'],
  ])('rejects a malformed token: %s', async (_, spell) => {
    await expectInvalidSession(spell(sign(claims())))
  })
})
