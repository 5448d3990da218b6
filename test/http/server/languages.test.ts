import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { findQuoteInputs } from '../../../src/db/queries/quotes/findQuoteInputs.ts'
import { tenants } from '../../../src/db/schema/index.ts'
import { explainQuote } from '../../../src/domain/pricing/explain.ts'
import type { PriceSnapshot } from '../../../src/domain/pricing/priceSnapshot.ts'
import { showBooking } from '../../../src/services/bookings/showBooking.ts'
import { aServer, customer } from '../../helpers/actors.ts'
import { useTestApp } from '../../helpers/app.ts'
import { inDays } from '../../helpers/dates.ts'
import { fleetOf as fleetFileOf, importFile } from '../../helpers/fleet.ts'
import { aKey } from '../../helpers/seed.ts'

const server = useTestApp()

/** Longer than what is sent uncompressed. */
const long = (text: string) => `${text} ${'–'.repeat(400)}`

/** Returns a fleet file of which some texts are translated into German and Norwegian. */
function translatedFleet(slug: string) {
  const { tenant, assetGroups, extras } = fleetFileOf(1, slug)
  return {
    tenant,
    assetGroups: assetGroups.map((group) => ({
      ...group,
      description: long('Five seats'),
      translations: {
        de: { name: 'Kleinwagen', category: 'Auto', description: long('Fünf Sitze') },
        nb: { name: 'Småbil' },
      },
      rates: group.rates.map((rate) => ({
        ...rate,
        translations: rate.ref === 'standard' ? { de: { name: 'Normaltarif' } } : {},
      })),
    })),
    extras: extras.map((extra) => ({ ...extra, translations: { de: { name: 'Kindersitz' } } })),
  }
}

interface Loaded {
  readonly key: string
  readonly groupId: string
  readonly extraId: string
}

async function load(file: object): Promise<Loaded> {
  const { tenantId, assetGroups, extras } = await importFile(server.deps.database, file)
  const { key } = await aKey(server.deps.database, tenantId)
  return { key, groupId: assetGroups[0]?.id ?? '', extraId: extras[0]?.id ?? '' }
}

let translated: Loaded
let plain: Loaded
beforeAll(async () => {
  translated = await load(translatedFleet('translated'))
  plain = await load(fleetFileOf(1, 'plain'))
})

type Headers = Readonly<Record<string, string>>

async function send({ key }: Loaded, path: string, headers: Headers = {}, body?: object) {
  const { port } = server.app.server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    headers: {
      authorization: `Bearer ${key}`,
      'accept-language': '',
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    language: response.headers.get('content-language'),
    vary: response.headers.get('vary') ?? '',
    etag: response.headers.get('etag') ?? '',
    data: text === '' ? undefined : JSON.parse(text).data,
  }
}

const groupsIn = (header: string, more: Headers = {}) =>
  send(translated, '/asset-groups', { 'accept-language': header, ...more })

const quoteIn = (header: string) =>
  send(
    translated,
    '/quotes',
    { 'accept-language': header },
    {
      assetGroupId: translated.groupId,
      pickupDatetime: inDays(5),
      dropoffDatetime: inDays(6),
      extras: [{ extraId: translated.extraId, quantity: 1 }],
    },
  )

describe('the language of a response', () => {
  it.each([
    ['de-CH, fr;q=0.8', 'de', 'Kleinwagen', 'Auto', 'Fünf Sitze'],
    ['fr, nb-NO;q=0.8', 'nb', 'Småbil', 'car', 'Five seats'],
    ['fr', 'en', 'Economy', 'car', 'Five seats'],
    ['*', 'en', 'Economy', 'car', 'Five seats'],
    ['', 'en', 'Economy', 'car', 'Five seats'],
    [`${'zz;q=0.9,'.repeat(450)}de;q=0.1`, 'de', 'Kleinwagen', 'Auto', 'Fünf Sitze'],
  ])('for %j is %s in the list of groups', async (...row) => {
    const [header, language, name, category, description] = row
    const response = await groupsIn(header)
    expect(response).toMatchObject({ status: 200, language })
    expect(response.data).toMatchObject([{ name, category, description: long(description) }])
    expect(Object.keys(response.data[0])).not.toContain('translations')
  })

  it('is the one of the list of rates, with the own name of a rate that has no translation', async () => {
    const path = `/asset-groups/${translated.groupId}/rates`
    const response = await send(translated, path, { 'accept-language': 'de' })
    expect(response.language).toBe('de')
    expect(response.data.map(({ name }: { name: string }) => name)).toEqual([
      'Normaltarif',
      'Summer',
    ])
  })

  it('is the one of the names in a quote', async () => {
    const { status, language, vary, data } = await quoteIn('de')
    expect([status, language, vary]).toEqual([201, 'de', 'Origin, Accept-Language'])
    expect(data.breakdown).toMatchObject({
      rate: { name: 'Normaltarif', lines: [{ rateName: 'Normaltarif' }] },
      extras: [{ name: 'Kindersitz' }],
    })
    const own = await quoteIn('fr')
    expect(own.language).toBe('en')
    expect(own.data.breakdown).toMatchObject({
      ...data.breakdown,
      rate: { name: 'Standard', lines: [{ rateName: 'Standard' }] },
      extras: [{ name: 'Child seat' }],
    })
  })

  it('is the own one of the tenant on the pages of staff', async () => {
    const { data } = await quoteIn('de')
    const { body } = await aServer(server, translated.key).book({ quoteId: data.quoteId, customer })
    const { database } = server.deps
    const [tenant] = await database.orm.select().from(tenants).where(eq(tenants.slug, 'translated'))
    const key = { tenantId: tenant?.id ?? '', id: body.data.bookingId }
    const page = await showBooking(database, key, new Date())
    expect(page.breakdown).toEqual((await quoteIn('en')).data.breakdown)
    const stored = await findQuoteInputs(database, { ...key, id: data.quoteId })
    const steps = explainQuote(stored?.inputs as PriceSnapshot).join('\n')
    expect(steps).toContain('Child seat')
    expect(steps).not.toContain('Kindersitz')
  })

  it('is not in the headers of a tenant without translations', async () => {
    const headers = { 'accept-language': 'de' }
    for (const path of ['/asset-groups', `/asset-groups/${plain.groupId}/rates`]) {
      const { status, language, vary } = await send(plain, path, headers)
      expect([status, language, vary]).toEqual([
        200,
        null,
        'Origin, Authorization, X-Api-Key, Accept-Encoding',
      ])
    }
    const rental = {
      assetGroupId: plain.groupId,
      pickupDatetime: inDays(5),
      dropoffDatetime: inDays(6),
    }
    expect(await send(plain, '/quotes', headers, rental)).toMatchObject({
      status: 201,
      language: null,
      vary: 'Origin',
    })
  })
})

describe('a cache that follows Vary and ETag', () => {
  it('never gets the texts of another language', async () => {
    // As a browser: one response for each value of the headers in Vary, revalidated by any ETag.
    const cached = new Map<string, { readonly etag: string; readonly data: unknown }>()
    const nameIn: Readonly<Record<string, string>> = {
      de: 'Kleinwagen',
      nb: 'Småbil',
      en: 'Economy',
    }
    const headers = ['de', 'en', 'nb-NO', 'de', 'fr', 'de-AT, en;q=0.5', 'nb', 'en;q=0.1', 'nb-NO']
    const codings = ['identity', 'br']
    for (const coding of codings) {
      for (const header of headers) {
        const known = [...cached.values()].map(({ etag }) => etag).join(', ')
        const response = await groupsIn(header, {
          'accept-encoding': coding,
          ...(known && { 'if-none-match': known }),
        })
        expect(response.vary.split(', ')).toContain('Accept-Language')
        const byEtag = [...cached.values()].find(({ etag }) => etag === response.etag)
        const data = response.status === 304 ? byEtag?.data : response.data
        cached.set(`${header} ${coding}`, { etag: response.etag, data })
        expect(data).toMatchObject([{ name: nameIn[response.language ?? ''] }])
      }
    }
    const etags = new Set([...cached.values()].map(({ etag }) => etag))
    expect(etags.size).toBe(3)
  })

  it('gets the same ETag for every header that chooses the same language', async () => {
    const etags = await Promise.all(
      ['de', 'de-AT', 'DE;q=0.3', 'x, de'].map(async (header) => (await groupsIn(header)).etag),
    )
    expect(new Set(etags).size).toBe(1)
  })
})

it('the weight of a cached catalog grows with its languages', async () => {
  const { catalogs } = server.deps
  const rowsOf = async (slug: string) => {
    const { rows } = await server.deps.database.pool.query(
      'select id from tenants where slug = $1',
      [slug],
    )
    const { rowCount, groups, extrasById } = await catalogs.find(rows[0].id)
    const rates = groups.reduce((sum, group) => sum + group.rates.length, 0)
    return rowCount / (groups.length + rates + extrasById.size)
  }
  expect([await rowsOf('plain'), await rowsOf('translated')]).toEqual([1, 3])
})
