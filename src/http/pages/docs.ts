import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { projectRoot } from '../../projectRoot.ts'
import type { PagePlugin } from '../fastify.ts'
import { bookingExample } from '../routes/getBooking.ts'
import { exampleQuoteId } from '../schemas/values.ts'
import { serveFile, untilAsked } from './files.ts'

const require = createRequire(import.meta.url)
const library = dirname(require.resolve('swagger-ui-dist/package.json'))

/** Only ourselves: the page must not send a reader's key, or its own existence, anywhere else. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const html = 'text/html; charset=utf-8'

/** A page of ours: what is in its head besides, and its body. */
const htmlOf = (head: string, body: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Public Rental Booking API</title>
    <link rel="icon" href="data:,">${head}
  </head>
  <body>
${body}
  </body>
</html>
`

const reference = htmlOf(
  `
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="stylesheet" href="/docs/page.css">`,
  `    <aside>
      <strong>Trying it here:</strong> paste an API key under <em>Authorize</em>. Reads then work
      right away. This page is a website like any other, so <code>POST</code> carries its origin: the
      key must list <code id="origin">this origin</code>, and quotes and bookings need a session. Execute
      <code>POST /sessions</code>, <code>/quotes</code> and <code>/bookings</code> in this order: the page sends
      your token along, and your quote and booking instead of those of the examples.
      <a href="/docs/integrate">Five minutes to a booking</a>.
    </aside>
    <div id="reference"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/page.js"></script>`,
)

/** Ours, and where Swagger UI's colours are too pale to be read, or its tables wider than a phone. */
const pageStyle = `aside { max-width: 1400px; margin: 1rem auto; padding: 0.75rem 1rem;
  border-left: 4px solid #2f6f4f; background: #eef6f1; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0; }
main.guide { max-width: 50rem; margin: 1rem auto; padding: 0 1rem; font: 16px/1.6 system-ui, sans-serif; }
.guide pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 0.75rem; background: #eef6f1; }
.guide td code { overflow-wrap: anywhere; }
.guide td, .guide th { padding: 0.25rem 0.5rem; border: 1px solid #c5d5cb; text-align: left; }
.swagger-ui .info .title small, .swagger-ui .download-contents { background: #5c6270; }
.swagger-ui .info .title small.version-stamp { background: #4a6b00; }
.swagger-ui .info a, .swagger-ui .info .url { color: #1f5fa8; }
.swagger-ui .btn.authorize { border-color: #1c7a4d; color: #1c7a4d; }
.swagger-ui .btn.cancel { border-color: #b32424; color: #b32424; }
.swagger-ui .btn.execute { border-color: #1f5fa8; background: #1f5fa8; }
.swagger-ui .microlight span[style*="211, 99, 99"] { color: #ff9c9c !important; }
.swagger-ui .parameter__in { color: #595959; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #1f5fa8; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #1c7a4d; }
@media (max-width: 768px) {
  .swagger-ui .opblock-body table, .swagger-ui .opblock-body tbody, .swagger-ui .opblock-body tr,
  .swagger-ui .opblock-body td { display: block; width: auto; padding-left: 0; }
  .swagger-ui .opblock-body thead, .swagger-ui td.response-col_links { display: none; }
}
`

/** Nobody has to copy a token from one answer into the next request, least of all on a phone. */
const pageScript = `document.getElementById('origin').textContent = location.origin
// What Swagger UI leaves out for those who hear the page or have no mouse.
const mend = (selector, property, value) => {
  for (const element of document.querySelectorAll(selector)) element[property] = value
}
new MutationObserver(() => {
  mend('#servers', 'ariaLabel', 'Server')
  mend('.examples-select-element', 'ariaLabel', 'Example')
  mend('.body-param__text', 'ariaLabel', 'Request body')
  mend('.microlight', 'tabIndex', 0)
  mend('.opblock-tag', 'ariaLevel', '2')
  mend('h4', 'ariaLevel', '3')
  mend('h5', 'ariaLevel', '4')
  mend('.information-container, .scheme-container', 'role', 'region')
  mend('.information-container', 'ariaLabel', 'The API')
  mend('.scheme-container', 'ariaLabel', 'Server and key')
}).observe(document.body, { childList: true, subtree: true })
const made = {}
const put = (text) =>
  text
    .replaceAll('${exampleQuoteId}', made.quoteId ?? '$&')
    .replaceAll('${bookingExample.bookingId}', made.bookingId ?? '$&')
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  tryItOutEnabled: true,
  displayRequestDuration: true,
  validatorUrl: null,
  requestInterceptor(request) {
    const { headers, body, method } = request
    for (const name of Object.keys(headers)) headers[name] = put(headers[name])
    if (method === 'POST' && made.sessionToken) headers['X-Session-Token'] ||= made.sessionToken
    request.url = put(request.url)
    if (body) request.body = put(body)
    return request
  },
  responseInterceptor(response) {
    Object.assign(made, response.obj?.data)
    return response
  },
})
`

/** GET /docs: the reference to read and try, served by ourselves. GET /docs/integrate: the guide. */
export const docs: PagePlugin = async (app) => {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('content-security-policy', contentSecurityPolicy)
  })
  app.get('/docs', (_request, reply) => reply.type(html).send(reference))
  app.get('/docs/', (_request, reply) => reply.redirect('/docs', 301))
  const guide = join(projectRoot, 'integrate.html')
  await serveFile(app, '/docs/integrate', guide, { type: html, caching: untilAsked })
  app.get('/docs/page.css', (_request, reply) => reply.type('text/css').send(pageStyle))
  app.get('/docs/page.js', (_request, reply) => reply.type('text/javascript').send(pageScript))
  for (const [name, type] of [
    ['swagger-ui.css', 'text/css'],
    ['swagger-ui-bundle.js', 'text/javascript'],
  ] as const) {
    const caching = 'public, max-age=86400'
    await serveFile(app, `/docs/${name}`, join(library, name), { type, caching })
  }
}

const places = {
  guide: '/docs/integrate',
  reference: '/docs',
  openapi: '/openapi.json',
  forPrograms: '/llms.txt',
}

const links = [
  `<a href="${places.guide}">Five minutes to a booking</a>`,
  `<a href="${places.reference}">The reference, to read and try</a>`,
  `<a href="${places.openapi}">The OpenAPI document</a>`,
  `<a href="${places.forPrograms}">All of it as one text, for programs</a>`,
].map((link) => `        <li>${link}</li>`)

const homePage = htmlOf(
  '',
  `    <main>
      <h1>Public Rental Booking API</h1>
      <ul>
${links.join('\n')}
      </ul>
    </main>`,
)

/** GET /: where to go, as a page for browsers and as JSON for everybody else. */
export const home: PagePlugin = async (app) => {
  app.get('/', (request, reply) => {
    reply.headers({
      'content-security-policy': "default-src 'none'; img-src data:",
      vary: 'Origin, Accept',
    })
    const wantsPage = request.headers.accept?.includes('text/html') === true
    return wantsPage ? reply.type(html).send(homePage) : reply.send(places)
  })
}
