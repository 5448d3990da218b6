import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '../../base/projectRoot.ts'
import type { PagePlugin } from '../fastify.ts'

/** As in `pages/home.html`. */
const addresses = {
  guide: '/docs/integrate',
  reference: '/docs',
  openapi: '/openapi.json',
  forPrograms: '/llms.txt',
}

/** GET /: where to go, as a page for browsers and as JSON for everybody else. */
export const home: PagePlugin = async (app) => {
  const page = await readFile(join(projectRoot, 'pages/home.html'), 'utf8')
  app.get('/', (request, reply) => {
    reply.headers({
      'content-security-policy': "default-src 'none'; img-src data:",
      vary: 'Origin, Accept',
    })
    const wantsPage = request.headers.accept?.includes('text/html') === true
    return wantsPage ? reply.type('text/html; charset=utf-8').send(page) : reply.send(addresses)
  })
}
