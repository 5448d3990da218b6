import { apiPrefix, type Operation } from '../src/http/chain/operation.ts'
import { headers, parameters, securitySchemes } from './components.ts'
import { errorSchemas } from './errorSchemas.ts'
import { describeOperation } from './operation.ts'
import { schemaCollector } from './schemas.ts'
import { shareExamples, shareResponses } from './sharedResponses.ts'

const info = {
  title: 'Public Rental Booking API',
  version: '1.0.0',
  summary: 'Catalog, availability, binding quotes and pending bookings of a vehicle rental.',
  description: [
    "A booking takes three steps: ask for a binding quote (`POST /quotes`), submit it (`POST /bookings`), and poll the booking (`GET /bookings/{id}`) until the rental's staff have confirmed or rejected it.",
    "Every request carries a publishable API key. A request with an `Origin` header comes from a browser: its origin must be on the key's allow list, and quotes and bookings need a session token from `POST /sessions`. A request without one comes from a server and needs the key alone. Browsers send `Origin` with every POST, also to their own site, and with every GET to another.",
    "A successful answer has one field, `data`. An error has one field, `error`, whose `code` tells a program what to do. Every answer of an operation carries the caller's rate limit. Malformed HTTP gets 400, 408, 417 or 431 as the same kind of error, whatever the path. Fields may be added to answers within a version; ignore those you do not know.",
  ].join('\n\n'),
  contact: { name: 'The rental company that gave you the key' },
  license: { name: 'MIT', identifier: 'MIT' },
}

/** Returns the OpenAPI 3.1 document of the operations. */
export function openApiDocument(operations: readonly Operation[]): object {
  const collector = schemaCollector()
  const paths: Parameters<typeof shareResponses>[0] = {}
  for (const operation of operations) {
    const path = operation.url.slice(apiPrefix.length).replace(/:(\w+)/g, '{$1}')
    const method = String(operation.method).toLowerCase()
    paths[path] = { ...paths[path], [method]: describeOperation(operation, collector) }
  }
  const examples = shareExamples(paths)
  const responses = shareResponses(paths)
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: apiPrefix }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: [
      { name: 'catalog', description: 'What can be rented.' },
      { name: 'booking', description: "From a quote to the staff's decision." },
    ],
    paths,
    components: {
      securitySchemes,
      parameters,
      headers,
      responses,
      examples,
      schemas: { ...collector.components, ...errorSchemas },
    },
  }
}
