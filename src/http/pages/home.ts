import type { RoutePlugin } from '../fastify.ts'

const places = {
  guide: '/docs/integrate',
  reference: '/docs',
  openapi: '/openapi.json',
  forPrograms: '/llms.txt',
}

const links = Object.entries(places).map(
  ([name, path]) => `      <li>${name}: <a href="${path}">${path}</a></li>`,
)

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Public Rental Booking API</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <h1>Public Rental Booking API</h1>
    <ul>
${links.join('\n')}
    </ul>
  </body>
</html>
`

/** GET /: where to go, as a page for browsers and as JSON for everybody else. */
export const home: RoutePlugin = async (app) => {
  app.get('/', (request, reply) => {
    reply.headers({
      'content-security-policy': "default-src 'none'; img-src data:",
      vary: 'Accept',
    })
    const wantsPage = request.headers.accept?.includes('text/html') === true
    return wantsPage ? reply.type('text/html; charset=utf-8').send(page) : reply.send(places)
  })
}
