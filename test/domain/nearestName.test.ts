import { expect, it } from 'vitest'
import { didYouMean } from '../../src/domain/nearestName.ts'

const quote = ['assetGroupId', 'pickupDatetime', 'dropoffDatetime', 'extras']
const customer = ['firstName', 'lastName', 'email', 'phone']
const paths = ['/api/v1/asset-groups', '/api/v1/asset-groups/{id}/rates', '/api/v1/quotes']

it.each<[string, readonly string[], string | undefined]>([
  ['extra', quote, 'extras'],
  ['pickup_datetime', quote, 'pickupDatetime'],
  ['dropOffDateTime', quote, 'dropoffDatetime'],
  ['pickup', quote, 'pickupDatetime'],
  ['id', quote, 'assetGroupId'],
  ['colour', quote, undefined],
  ['x', quote, undefined],
  ['', quote, undefined],
  ['phoneNumber', customer, 'phone'],
  ['telephone', customer, 'phone'],
  ['emial', customer, 'email'],
  ['/quote', paths, '/api/v1/quotes'],
  ['/api/v1/asset-groups/', paths, '/api/v1/asset-groups'],
  ['/api/v1/asset_groups/{id}/rate', paths, '/api/v1/asset-groups/{id}/rates'],
  ['/robots.txt', paths, undefined],
])('finds for %j among %j: %s', (typed, names, nearest) => {
  expect(didYouMean(typed, names)).toBe(nearest === undefined ? '' : `; did you mean ${nearest}?`)
})

it('finds no name near a very long one', () => {
  expect(didYouMean('a'.repeat(100_000), quote)).toBe('')
})
