import { describe, expect, it } from 'vitest'
import { acceptedCoding } from '../../../src/http/server/contentCodings.ts'

/** Expected values follow RFC 9110, sections 12.5.3 and 12.4.2; `br` wins among equal weights. */
describe('Accept-Encoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['identity', 'identity'],
    ['deflate, zstd', 'identity'],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.9', 'gzip'],
    ['gzip;q=0.5, br;q=0.5', 'br'],
    ['br;q=0', 'identity'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.000, gzip;q=0', 'identity'],
    ['*', 'br'],
    ['*;q=0.1', 'br'],
    ['*;q=0', 'identity'],
    ['gzip, *;q=0', 'gzip'],
    ['gzip;q=0.5, *;q=1', 'br'],
    ['identity, gzip;q=0.5', 'identity'],
    ['identity;q=0.5, gzip;q=0.2, br;q=0.1', 'identity'],
    ['identity;q=0.5, gzip', 'gzip'],
    ['identity, br', 'br'],
    ['identity;q=0, gzip', 'gzip'],
    ['identity;q=0, *', 'br'],
    ['identity;q=0', 'identity'],
  ])('maps Accept-Encoding %s to the coding %s', (header, coding) => {
    expect(acceptedCoding(header)).toBe(coding)
  })
})
