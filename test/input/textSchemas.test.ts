import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openApiDocument } from '../../openapi/document.ts'
import { operations } from '../../src/http/routes/index.ts'
import { bookingDetails } from '../../src/input/bookingDetails.ts'
import { bookingWith } from '../helpers/bookingDetails.ts'

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(openApiDocument(operations), 'api')
const documented = ajv.compile({ $ref: 'api#/components/schemas/BookingRequest' })
const parsed = z.strictObject({ quoteId: z.string(), ...bookingDetails })

const quoteId = '9a1f6d0e-5a5e-4b0f-8a55-3c9f1e2d4b33'

describe('the schema of a text in the OpenAPI document', () => {
  it.each([
    ['customer.phone', '', true],
    ['customer.phone', '   ', true],
    ['customer.phone', '\u200b', true],
    ['customer.phone', '\u200b\t+47 12 34\n\u200b', true],
    ['customer.phone', '+47 12 34 56 78', true],
    ['customer.phone', '+47 12 34 56 78\r\n', true],
    ['customer.phone', '(０１２) ٣٤٥', true],
    ['customer.phone', '12', false],
    ['customer.phone', '12\n3', false],
    ['customer.phone', '123a', false],
    ['customer.email', 'kari@example.com', true],
    ['customer.email', ' kari@example.com\n', true],
    ['customer.email', "o'brien+x@sub-domain.example.ie", true],
    ['customer.email', 'kari@blåbær.no', true],
    ['customer.email', 'a@b', true],
    ['customer.email', 'a@x.no.', false],
    ['customer.email', 'a@x..no', false],
    ['customer.email', 'a b@x.no', false],
    ['customer.email', 'a@x.no, b@x.no', false],
    ['customer.email', 'kari', false],
    ['customer.email', '   ', false],
    ['customer.firstName', 'Kari\n', true],
    ['customer.firstName', '李', true],
    ['customer.firstName', '   ', false],
    ['customer.firstName', 'Ka\nri', false],
    ['customer.lastName', 'Nord\u0007mann', false],
    ['pickupLocation', '  Oslo S\r\n', true],
    ['pickupLocation', '   ', true],
    ['pickupLocation', 'Oslo\nS', false],
    ['reference', 'TRIP 2035\n', true],
    ['reference', 'a\0b', false],
    ['notes', '\nBy train.\n\nAt ten.\n', true],
    ['notes', 'a\u001bb', false],
  ])('agrees with the server about %s %j: %s', (path, value, accepted) => {
    const request = bookingWith(quoteId, path, value)
    expect([documented(request), parsed.safeParse(request).success]).toEqual([accepted, accepted])
  })
})
