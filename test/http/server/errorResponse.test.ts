import { describe, expect, it } from 'vitest'
import { ApiError, validationError } from '../../../src/domain/errors.ts'
import { errorResponse } from '../../../src/http/server/errorResponse.ts'

describe('errorResponse', () => {
  it('serializes the error envelope as JSON with its length in bytes', () => {
    const { status, headers, body } = errorResponse(
      validationError([{ path: 'customer.firstName', message: 'Blåbær' }]),
    )
    expect(status).toBe(400)
    expect(JSON.parse(body)).toEqual({
      error: {
        code: 'VALIDATION_ERROR',
        message: 'The request is not valid: customer.firstName Blåbær',
        details: [{ path: 'customer.firstName', message: 'Blåbær' }],
      },
    })
    expect(headers).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
  })

  it.each([
    ['API_KEY_INVALID', { 'www-authenticate': 'Bearer' }],
    ['API_KEY_EXPIRED', { 'www-authenticate': 'Bearer' }],
    ['SESSION_EXPIRED', { 'www-authenticate': 'Bearer' }],
    ['REQUEST_IN_PROGRESS', { 'retry-after': 1 }],
    ['SERVICE_UNAVAILABLE', { 'retry-after': 2 }],
    ['QUOTE_EXPIRED', {}],
    ['RATE_LIMITED', {}],
  ] as const)('adds to %s the headers %o', (code, expected) => {
    const { headers } = errorResponse(new ApiError(code))
    const { 'content-type': _, 'content-length': __, ...more } = headers
    expect(more).toEqual(expected)
  })
})
