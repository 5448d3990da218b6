import { randomUUID } from 'node:crypto'
import { assetGroups, availability, expectError, payloadOf, quote, rates } from './responses.ts'
import { assert, type Checks, inDays, NothingToBook, rental } from './runContext.ts'

export const catalogChecks: Checks = {
  async 'asset groups, rates and quotes have all fields of the contract'(context) {
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
      'no asset group of the tenant can be priced a month from now, so the other rules cannot be checked',
    )
  },
  async 'availability counts vehicles, is never cached, and rejects invalid ranges'({
    api,
    groupId,
  }) {
    const send = (query: string) => api.call(`/asset-groups/${groupId}/availability?${query}`)
    const response = await send(`from=${inDays(30)}&to=${inDays(33)}`)
    const count = payloadOf(response, 200, availability)
    assert(
      count.available === count.availableCount > 0,
      'available and availableCount contradict each other',
    )
    assert(count.availableCount <= count.totalAssets, 'availableCount is larger than totalAssets')
    assert(
      response.headers.get('cache-control')?.includes('no-store') === true,
      'Cache-Control allows caching',
    )
    const reversed = await send(`from=${inDays(33)}&to=${inDays(30)}`)
    assert(
      expectError(reversed, 400, 'VALIDATION_ERROR').join().includes('to'),
      'details does not contain the field',
    )
    expectError(await send(`from=${inDays(30)}`), 400, 'VALIDATION_ERROR')
  },
  async 'an unknown id gets 404 NOT_FOUND, a malformed id 400'({ api }) {
    expectError(await api.call(`/asset-groups/${randomUUID()}/rates`), 404, 'NOT_FOUND')
    expectError(await api.call(`/bookings/${randomUUID()}`), 404, 'NOT_FOUND')
    expectError(await api.call('/bookings/42'), 400, 'VALIDATION_ERROR')
  },
  async 'a quote is valid for 30 minutes, and invalid quantities and unknown groups are rejected'(
    context,
  ) {
    const { api, groupId } = context
    const post = (body: unknown) => api.call('/quotes', { method: 'POST', body })
    const response = await post(rental(groupId))
    const { expiresAt } = payloadOf(response, 201, quote)
    const validMs = Date.parse(expiresAt) - Date.parse(response.headers.get('date') ?? '')
    const minutes = validMs / 60_000
    assert(Math.abs(minutes - 30) < 1, `the quote is valid for ${minutes} minutes`)
    const extras = [{ extraId: randomUUID(), quantity: 0 }]
    const paths = expectError(await post({ ...rental(groupId), extras }), 400, 'VALIDATION_ERROR')
    assert(paths.join().includes('quantity'), 'details does not contain the quantity')
    expectError(await post(rental(randomUUID())), 404, 'NOT_FOUND')
  },
}
