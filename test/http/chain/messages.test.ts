import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { generateApiKey } from '../../../src/auth/keyFormat.ts'
import { useTestApp } from '../../helpers/app.ts'
import { aKey, aTenant } from '../../helpers/seed.ts'

const server = useTestApp()
let key: string
let keyId: string

beforeAll(async () => {
  const { database } = server.deps
  const made = await aKey(database, await aTenant(database), { origins: ['https://shop.example'] })
  key = made.key
  keyId = made.id
})

const messageFor = async (path: string, headers: Record<string, string>) =>
  (await server.http.get(path).set(headers)).body.error.message as string

describe('messages for a log', () => {
  it.each<[string, () => Record<string, string>, RegExp]>([
    ['cut off', () => ({ 'x-api-key': key.slice(0, -1) }), /cut off or mistyped/],
    ['mistyped', () => ({ 'x-api-key': key.replace(/_(.)(.)/, '_$2$1') }), /cut off or mistyped/],
    ['unknown', () => ({ 'x-api-key': generateApiKey() }), /unknown to this server/],
    ['sent with Bearer', () => ({ 'x-api-key': `Bearer ${key}` }), /leave out "Bearer"/],
    ['quoted', () => ({ 'x-api-key': `"${key}"` }), /leave out the quotation marks/],
    ['in brackets', () => ({ authorization: `Bearer <${key}>` }), /leave out the quotation marks/],
    ['without a space', () => ({ authorization: `Bearer:${key}` }), /"Bearer", a space/],
    [
      'sent twice',
      () => ({ 'x-api-key': key, authorization: 'Bearer x' }),
      /two different API keys/,
    ],
  ])('tells what is wrong with a key that is %s', async (_, headers, words) => {
    expect(await messageFor('/api/v1/asset-groups', headers())).toMatch(words)
  })

  it.each([
    ['https://www.shop.example', 'rental keys set ID --add-origin https://www.shop.example'],
    ['capacitor://localhost', 'rental keys set ID --add-origin capacitor://localhost'],
    ['null', '"null" is not an origin that an API key can allow'],
    ['https://shop.example/', '"https://shop.example/" is not an origin that an API key can allow'],
  ])('names the rejected origin %s and not the id of the key', async (origin, words) => {
    const message = await messageFor('/api/v1/asset-groups', { 'x-api-key': key, origin })
    expect(message).toContain(words)
    expect(message).not.toContain(keyId)
  })

  it.each([
    ['/quote', '; did you mean /api/v1/quotes?'],
    ['/api/v1/asset-groups/', '; did you mean /api/v1/asset-groups?'],
    [`/api/v1/booking/${randomUUID()}?x=1`, '; did you mean /api/v1/bookings/{id}?'],
    ['/nowhere', '.'],
    [
      '/api/v1/extras',
      ". The extras are in the site's config, which the rental company writes with `rental site config`.",
    ],
  ])('names the path that is nearest to %s', async (path, end) => {
    expect(await messageFor(path, {})).toBe(`There is nothing at this path${end}`)
  })
})
