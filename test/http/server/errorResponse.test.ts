import { describe, expect, it } from 'vitest'
import { ApiError, validationError } from '../../../src/domain/errors.ts'
import { MalformedRequest } from '../../../src/http/chain/malformedRequest.ts'
import { errorResponse } from '../../../src/http/server/errorResponse.ts'

const reads = { name: 'reads', limit: 300, windowSeconds: 60, remaining: 0, resetAtSeconds: 1_042 }
const standing = { nowSeconds: 1_000, windows: [reads] }

describe('the answer to a refused request', () => {
  it('is the envelope in JSON, as long as it says', () => {
    const { status, headers, body } = errorResponse(
      validationError([{ path: 'customer.firstName', message: 'Blåbær' }]),
    )
    expect(status).toBe(400)
    expect(JSON.parse(body)).toEqual({
      error: {
        code: 'VALIDATION_ERROR',
        message: 'The request is not valid; see details.',
        details: [{ path: 'customer.firstName', message: 'Blåbær' }],
      },
    })
    expect(headers).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
  })

  it.each([
    ['unreadable', 400],
    ['tooSlow', 408],
    ['headersTooLarge', 431],
  ] as const)('of a request that is %s has a status of its own (145)', (kind, status) => {
    expect(errorResponse(new MalformedRequest(kind)).status).toBe(status)
  })

  it.each([
    ['API_KEY_INVALID', { 'www-authenticate': 'Bearer' }],
    ['API_KEY_EXPIRED', { 'www-authenticate': 'Bearer' }],
    ['SESSION_EXPIRED', { 'www-authenticate': 'Bearer' }],
    ['REQUEST_IN_PROGRESS', { 'retry-after': 1 }],
    ['SERVICE_UNAVAILABLE', { 'retry-after': 2 }],
    ['QUOTE_EXPIRED', {}],
    ['RATE_LIMITED', {}],
  ] as const)('%s says with its headers what to do: %o', (code, said) => {
    const { headers } = errorResponse(new ApiError(code))
    const { 'content-type': _, 'content-length': __, ...more } = headers
    expect(more).toEqual(said)
  })

  it('says when to come back: a 429 by the window that refused', () => {
    const limited = errorResponse(new ApiError('RATE_LIMITED'), standing)
    expect(limited.status).toBe(429)
    expect(limited.headers).toMatchObject({ 'retry-after': 42 })
    const busy = errorResponse(new ApiError('SERVICE_UNAVAILABLE'), standing)
    expect(busy.headers).toMatchObject({ 'retry-after': 2 })
  })

  it('closes the connection when nobody knows where the next request begins', () => {
    const { status, headers, body } = errorResponse(new MalformedRequest('tooSlow'))
    expect([status, headers['connection']]).toEqual([408, 'close'])
    expect(JSON.parse(body)).toMatchObject({ error: { code: 'VALIDATION_ERROR' } })
  })
})
