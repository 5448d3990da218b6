import { type ErrorCode, errorTable } from '../src/domain/errors.ts'

const codes = Object.keys(errorTable) as ErrorCode[]

/** Schemas of error responses. The body is not named `Error`, which is a built-in type in many languages. */
export const errorSchemas = {
  ApiError: {
    type: 'object',
    required: ['error'],
    properties: { error: { $ref: '#/components/schemas/ApiErrorBody' } },
  },
  ApiErrorBody: {
    description: 'What went wrong.',
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: {
        type: 'string',
        description:
          'The error code, for programs. New codes may be added; handle an unknown code by the HTTP status.',
        examples: ['QUOTE_EXPIRED'],
        'x-extensible-enum': codes,
        'x-retryable': codes.filter(
          (code) =>
            ['RATE_LIMITED', 'INTERNAL_ERROR'].includes(code) ||
            'retryAfterSeconds' in errorTable[code],
        ),
      },
      message: { type: 'string', description: 'The error message, for people. It may change.' },
      details: { $ref: '#/components/schemas/ErrorDetails' },
    },
  },
  ErrorDetails: {
    description: 'The invalid fields, each with its path.',
    type: 'array',
    items: { $ref: '#/components/schemas/ErrorDetail' },
  },
  ErrorDetail: {
    type: 'object',
    required: ['path', 'message'],
    properties: {
      path: {
        type: 'string',
        description: 'The field, with the names around it.',
        examples: ['customer.email', 'query.from', 'headers.origin'],
      },
      message: { type: 'string', description: 'The problem, for people. It may change.' },
    },
  },
} as const
