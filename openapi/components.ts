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
    'The limit of the most restrictive window, which would reject a request first.',
    integer,
  ),
  'X-RateLimit-Remaining': header('Requests remaining in the most restrictive window.', integer),
  'X-RateLimit-Reset': header(
    'End of the most restrictive window, as Unix time in seconds.',
    integer,
  ),
  RateLimit: header(
    'The state of every window (IETF draft): `r` requests remaining, `t` seconds until the window ends. `bookings-day` and `visitor-day` count only requests that created a booking.',
    text,
  ),
  'RateLimit-Policy': header(
    'The limit of every window (IETF draft): `q` requests in `w` seconds.',
    text,
  ),
  'X-Request-Id': header('The id of the request. Include it when you contact support.', {
    ...text,
    format: 'uuid',
  }),
  'Retry-After': header('Seconds to wait before the next retry.', {
    type: 'integer',
    minimum: 1,
  }),
  ETag: header(
    'The version of the response, for `If-None-Match`. Each content coding has a different ETag.',
    text,
  ),
  'Cache-Control': header(
    'How long clients may cache the response. Shared caches must not store it.',
    text,
  ),
  'Content-Language': header(
    'The language of the texts, except those without a translation. Absent if the tenant has no translations.',
    text,
    false,
  ),
  Vary: header('The request headers on which a cached response depends.', text),
  Location: header('The path of the booking, for polling.', text),
  'Idempotent-Replayed': header(
    'Present when the response is a replay of an earlier request with the same `Idempotency-Key`.',
    { ...text, const: 'true' },
    false,
  ),
  'WWW-Authenticate': header('The authentication scheme.', text, false),
} as const

/** `Retry-After` of a 409, where only `REQUEST_IN_PROGRESS` can be retried. */
export const retryAfterInProgress = {
  description: 'Sent with `REQUEST_IN_PROGRESS`: seconds to wait before the next retry.',
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
      'The ETag of the cached response. If nothing has changed, the response is 304 without a body.',
    schema: text,
  },
  AcceptLanguage: {
    name: 'Accept-Language',
    in: 'header',
    description:
      "The languages in which texts are wanted, such as `de-CH, fr;q=0.8`. Without a match, the texts are in the tenant's own language.",
    schema: text,
  },
  SessionToken: {
    name: 'X-Session-Token',
    in: 'header',
    description: 'Required when the request has an `Origin` header; ignored otherwise.',
    schema: text,
  },
} as const

export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The API key, preferably in this header: `Authorization: Bearer pk_live_...`.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'The API key in a separate header.',
  },
} as const
