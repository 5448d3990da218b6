import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { projectRoot } from '../../projectRoot.ts'
import type { PagePlugin } from '../fastify.ts'
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

const ours = [
  ['/docs', 'docs.html', html],
  ['/docs/page.css', 'page.css', 'text/css'],
  ['/docs/page.js', 'page.js', 'text/javascript'],
] as const

/** GET /docs: the reference to read and try, served by ourselves. GET /docs/integrate: the guide. */
export const docs: PagePlugin = async (app) => {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('content-security-policy', contentSecurityPolicy)
  })
  app.get('/docs/', (_request, reply) => reply.redirect('/docs', 301))
  for (const [path, name, type] of ours) {
    const text = await readFile(join(projectRoot, 'pages', name), 'utf8')
    app.get(path, (_request, reply) => reply.type(type).send(text))
  }
  const guide = join(projectRoot, 'integrate.html')
  await serveFile(app, '/docs/integrate', guide, { type: html, caching: untilAsked })
  for (const [name, type] of [
    ['swagger-ui.css', 'text/css'],
    ['swagger-ui-bundle.js', 'text/javascript'],
  ] as const) {
    const caching = 'public, max-age=86400'
    await serveFile(app, `/docs/${name}`, join(library, name), { type, caching })
  }
}
