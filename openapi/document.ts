import { apiPrefix, type Operation } from '../src/http/chain/operation.ts'
import { headers, parameters, securitySchemes } from './components.ts'
import { errorSchemas } from './errorSchemas.ts'
import { describeOperation } from './operation.ts'
import { schemaCollector } from './schemas.ts'
import { shareExamples, shareResponses } from './sharedResponses.ts'

const info = {
  title: 'Public Rental Booking API',
  version: '1.0.0',
  summary: 'Catalog, availability, binding quotes and pending bookings for vehicle rentals.',
  description: [
    'A booking takes three steps: create a quote (`POST /quotes`), submit the quote (`POST /bookings`), and poll the booking (`GET /bookings/{id}`) until the staff of the rental company have confirmed or rejected it.',
    "Every request needs a publishable API key. A request with an `Origin` header is treated as coming from a browser: its origin must be on the key's allow list, and quotes and bookings need a session token from `POST /sessions`. A request without an `Origin` header is treated as coming from a server and needs only the key. Browsers send `Origin` with every POST, even to the origin of the page, and with every GET to another origin.",
    "A successful response has one field, `data`. An error response has one field, `error`, whose `code` identifies the error for programs. The headers of every operation's response show the rate limit of the caller. Malformed HTTP requests receive an error of the same form with status 400, 408, 417 or 431, on any path. Fields may be added to responses within a version; ignore fields you do not know.",
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
      { name: 'catalog', description: 'Vehicles and their rates.' },
      { name: 'booking', description: 'Sessions, quotes and bookings.' },
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
