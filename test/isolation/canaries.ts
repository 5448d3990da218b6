import { type Actor, aServer } from '../helpers/actors.ts'
import type { TestApp } from '../helpers/app.ts'
import { inDays } from '../helpers/dates.ts'
import { aGroup, aKey, anExtra, aRate, aTenant, type SeededKey } from '../helpers/seed.ts'

/** A tenant with one object of each kind, whose texts all contain `mark`. */
export interface Marked {
  readonly mark: string
  readonly tenantId: string
  readonly key: SeededKey
  readonly actor: Actor
  readonly origin: string
  readonly groupId: string
  readonly rateId: string
  readonly extraId: string
  readonly quoteId: string
  readonly bookingId: string
}

/** Seeds a tenant with a key, a quote and a booking. */
export async function aMarkedTenant(server: TestApp, mark: string): Promise<Marked> {
  const { database } = server.deps
  const text = (field: string) => `${mark}-${field}`
  const tenantId = await aTenant(database, {
    name: text('tenant'),
    slug: text('slug').toLowerCase(),
  })
  const groupId = await aGroup(database, tenantId, {
    name: text('group'),
    category: text('category'),
    description: text('description'),
    imageUrl: `https://images.example/${text('image')}`,
    ref: text('ref'),
    assets: 2,
    rate: null,
  })
  const rateId = await aRate(database, tenantId, groupId, { name: text('rate'), ref: text('rate') })
  const extraId = await anExtra(database, tenantId, { name: text('extra'), ref: text('extra') })
  return withKey(server, { mark, tenantId, groupId, rateId, extraId })
}

/** Seeds another key of the same tenant, with a quote and a booking that the first may not read. */
export async function aSecondKey(server: TestApp, first: Marked, mark: string): Promise<Marked> {
  const { tenantId, groupId, rateId, extraId } = first
  return withKey(server, { mark, tenantId, groupId, rateId, extraId })
}

async function withKey(
  server: TestApp,
  owner: Pick<Marked, 'mark' | 'tenantId' | 'groupId' | 'rateId' | 'extraId'>,
): Promise<Marked> {
  const { mark, tenantId, groupId, extraId } = owner
  const origin = `https://${mark.toLowerCase()}.example`
  const key = await aKey(server.deps.database, tenantId, { origins: [origin], name: `${mark}-key` })
  const actor = aServer(server, key.key)
  const quote = async () => {
    const response = await actor.post('/quotes', quoteFor(groupId, extraId))
    return response.body.data.quoteId as string
  }
  const booked = await actor.book(bookingOf(await quote(), mark), `${mark}-idempotency`)
  return {
    ...owner,
    key,
    actor,
    origin,
    quoteId: await quote(),
    bookingId: booked.body.data.bookingId,
  }
}

export const quoteFor = (assetGroupId: string, extraId: string) => ({
  assetGroupId,
  pickupDatetime: inDays(20),
  dropoffDatetime: inDays(22),
  extras: [{ extraId, quantity: 1 }],
})

export const bookingOf = (quoteId: string, mark: string) => ({
  quoteId,
  customer: {
    firstName: `${mark}-first`,
    lastName: `${mark}-last`,
    email: `${mark.toLowerCase()}@mail.example`,
  },
  pickupLocation: `${mark}-pickup`,
  dropoffLocation: `${mark}-dropoff`,
  notes: `${mark}-notes`,
  reference: `${mark}-trip`,
})
