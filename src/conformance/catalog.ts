import { randomUUID } from 'node:crypto'
import { assetGroups, availability, payloadOf, quote, rates, refusal } from './responses.ts'
import { assert, type Checks, inDays, NothingToBook, rental } from './runContext.ts'

export const catalogChecks: Checks = {
  async 'groups, their rates and a quote have every field of the contract'(context) {
    const groups = payloadOf(await context.api.call('/asset-groups'), 200, assetGroups)
    for (const { id } of groups) {
      context.groupId = id
      payloadOf(await context.api.call(`/asset-groups/${id}/rates`), 200, rates)
      const response = await context.api.call('/quotes', { method: 'POST', body: rental(id) })
      if (response.status === 422) continue
      context.quoteId = payloadOf(response, 201, quote).quoteId
      return
    }
    throw new NothingToBook(
      'the tenant has no asset group with a rate for a month from now: nothing else can be checked',
    )
  },
  async 'availability counts, is never cached, and refuses bad ranges by name'({ api, groupId }) {
    const ask = (query: string) => api.call(`/asset-groups/${groupId}/availability?${query}`)
    const response = await ask(`from=${inDays(30)}&to=${inDays(33)}`)
    const count = payloadOf(response, 200, availability)
    assert(count.available === count.availableCount > 0, 'available contradicts availableCount')
    assert(count.availableCount <= count.totalAssets, 'more is available than there is')
    assert(response.headers.get('cache-control')?.includes('no-store') === true, 'may be cached')
    const reversed = await ask(`from=${inDays(33)}&to=${inDays(30)}`)
    assert(refusal(reversed, 400, 'VALIDATION_ERROR').join().includes('to'), 'names no field')
    refusal(await ask(`from=${inDays(30)}`), 400, 'VALIDATION_ERROR')
  },
  async 'an unknown id is 404 NOT_FOUND, an id that is no UUID 400'({ api }) {
    refusal(await api.call(`/asset-groups/${randomUUID()}/rates`), 404, 'NOT_FOUND')
    refusal(await api.call(`/bookings/${randomUUID()}`), 404, 'NOT_FOUND')
    refusal(await api.call('/bookings/42'), 400, 'VALIDATION_ERROR')
  },
  async 'a quote is valid for 30 minutes, and refuses what it cannot price by name'(context) {
    const { api, groupId } = context
    const post = (body: unknown) => api.call('/quotes', { method: 'POST', body })
    const response = await post(rental(groupId))
    const { expiresAt } = payloadOf(response, 201, quote)
    const validMs = Date.parse(expiresAt) - Date.parse(response.headers.get('date') ?? '')
    const minutes = validMs / 60_000
    assert(Math.abs(minutes - 30) < 1, `it is valid for ${minutes} minutes`)
    const extras = [{ extraId: randomUUID(), quantity: 0 }]
    const paths = refusal(await post({ ...rental(groupId), extras }), 400, 'VALIDATION_ERROR')
    assert(paths.join().includes('quantity'), 'the quantity is not named')
    refusal(await post(rental(randomUUID())), 404, 'NOT_FOUND')
  },
}
