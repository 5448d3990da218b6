const header = (description: string, schema: object, required = true) => ({
  description,
  ...(required && { required }),
  schema,
})
const integer = { type: 'integer', minimum: 0 }
const text = { type: 'string' }

/** All response headers by name. */
export const headers = {
  'X-RateLimit-Limit': header(
    'The limit of the window; of several, the one that would refuse first.',
    integer,
  ),
  'X-RateLimit-Remaining': header('Requests left in that window.', integer),
  'X-RateLimit-Reset': header('When the window ends, as Unix time in seconds.', integer),
  RateLimit: header(
    'How every window stands (IETF draft): `r` requests left, `t` seconds until it ends. `bookings-day` counts bookings made.',
    text,
  ),
  'RateLimit-Policy': header('Every window (IETF draft): `q` requests in `w` seconds.', text),
  'X-Request-Id': header('Names this request. Quote it when you contact support.', {
    ...text,
    format: 'uuid',
  }),
  'Retry-After': header('Seconds to wait before the next attempt.', {
    type: 'integer',
    minimum: 1,
  }),
  ETag: header('To be sent back as `If-None-Match`. Each content coding has its own.', text),
  'Cache-Control': header('For how long you may keep the answer. No shared cache may.', text),
  Vary: header('What a kept answer depends on, apart from its URL.', text),
  Location: header('Where to poll the booking.', text),
  'Idempotent-Replayed': header(
    'Present when this is the answer of an earlier request with the same key.',
    { ...text, const: 'true' },
    false,
  ),
  'WWW-Authenticate': header('How to authenticate: with a key.', text, false),
} as const

/** `Retry-After` of a 409, where only `REQUEST_IN_PROGRESS` can be retried. */
export const retryAfterInProgress = {
  description: 'With `REQUEST_IN_PROGRESS`: seconds to wait before the next attempt.',
  schema: headers['Retry-After'].schema,
}

export type HeaderName = keyof typeof headers

/** Returns references to the headers, for a response object. */
export function headerReferences(names: readonly HeaderName[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** Headers of every response. */
export const limitHeaderNames: readonly HeaderName[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
  'X-Request-Id',
]

/** Header parameters that the check chain reads, whatever the schema of the operation. */
export const parameters = {
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'The ETag of the answer you have. If nothing has changed, you get 304 and no body.',
    schema: text,
  },
  SessionToken: {
    name: 'X-Session-Token',
    in: 'header',
    description: 'Required when the request carries an `Origin` header; ignored otherwise.',
    schema: text,
  },
} as const

export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'Preferred: `Authorization: Bearer pk_live_...`.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'The same key in a separate header.',
  },
} as const
