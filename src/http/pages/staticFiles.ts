import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { projectRoot } from '../../config/projectRoot.ts'
import { getAndHead } from '../chain/operation.ts'
import {
  cachedRepresentation,
  representation,
  sendConditionally,
} from '../server/conditionalResponse.ts'

interface Page {
  readonly contentType: string
  readonly cacheControl: string
  readonly headers: Readonly<Record<string, string>>
  readonly vary?: string
  /** Brotli quality; 11 is the best, and takes seconds for a megabyte. */
  readonly brotliQuality?: number
}

/** Serves from memory, because a file opened for each request stays open while the client reads. */
async function serveFile(app: FastifyInstance, path: string, file: string, page: Page) {
  const { contentType, cacheControl, headers, vary = 'Origin, Accept-Encoding' } = page
  const content = cachedRepresentation(await readFile(file, 'utf8'), page.brotliQuality)
  app.route({
    method: getAndHead,
    url: path,
    config: { cacheControl },
    handler: (_request, reply) =>
      sendConditionally(reply.headers(headers), content, { contentType, vary }),
  })
}

export const html = 'text/html; charset=utf-8'

const require = createRequire(import.meta.url)
export const publicDirectory = join(projectRoot, 'public')
const swaggerUi = dirname(require.resolve('swagger-ui-dist/package.json'))

/**
 * The OpenAPI document, the contract and the interactive reference; `npm run openapi` generates some.
 */
const documents = [
  [publicDirectory, 'openapi.json', '/openapi.json', 'application/json; charset=utf-8'],
  [projectRoot, 'openapi.yaml', '/openapi.yaml', 'application/yaml'],
  [publicDirectory, 'arazzo.yaml', '/arazzo.yaml', 'application/yaml'],
  [publicDirectory, 'contract.html', '/docs/contract', html],
  [publicDirectory, 'docs.html', '/docs', html],
  [publicDirectory, 'flow.svg', '/docs/flow.svg', 'image/svg+xml'],
  [publicDirectory, 'guide.css', '/docs/guide.css', 'text/css'],
  [publicDirectory, 'guide.js', '/docs/guide.js', 'text/javascript'],
  [publicDirectory, 'home.css', '/docs/home.css', 'text/css'],
  [publicDirectory, 'page.css', '/docs/page.css', 'text/css'],
  [publicDirectory, 'reference.css', '/docs/reference.css', 'text/css'],
  [publicDirectory, 'page.js', '/docs/page.js', 'text/javascript'],
  [swaggerUi, 'swagger-ui.css', '/docs/swagger-ui.css', 'text/css'],
  [swaggerUi, 'swagger-ui-bundle.js', '/docs/swagger-ui-bundle.js', 'text/javascript'],
] as const

/** Allows requests to this server only: the page must not send a reader's key anywhere else. */
export const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Serves the documents. `/docs/` redirects to `/docs`, `/guide` to the guide. */
export async function documentPages(app: FastifyInstance): Promise<void> {
  app.get('/docs/', (_request, reply) => reply.redirect('/docs', 301))
  app.get('/guide', (_request, reply) => reply.redirect('/docs/integrate', 301))
  for (const [folder, name, path, contentType] of documents) {
    // Our own files may change with each release, so clients must revalidate them.
    const cacheControl = folder === swaggerUi ? 'public, max-age=86400' : 'public, no-cache'
    // In an image, the policy would block its own styles.
    const isPage = path.startsWith('/docs') && !path.endsWith('.svg')
    const headers = isPage ? { 'content-security-policy': contentSecurityPolicy } : {}
    await serveFile(app, path, join(folder, name), { contentType, cacheControl, headers })
  }
}

const clients = join(projectRoot, 'clients')
const built = join(clients, 'widget/dist')
const packages = [
  ['client.tgz', '/client/v1.tgz'],
  ['widget.tgz', '/widget/v1.tgz'],
] as const

async function packageFiles(app: FastifyInstance): Promise<void> {
  for (const [name, path] of packages) {
    const content = representation(await readFile(join(clients, 'packages', name)))
    app.route({
      method: getAndHead,
      url: path,
      config: { cacheControl: 'public, max-age=86400' },
      handler: (_request, reply) =>
        sendConditionally(reply, content, { contentType: 'application/gzip', vary: 'Origin' }),
    })
  }
}

/**
 * Serves the widget below `/widget` and both npm packages. `npm run build` creates these files;
 * without them the server does not start.
 */
export async function clientFiles(app: FastifyInstance): Promise<void> {
  await packageFiles(app)
  for (const name of await readdir(built)) {
    await serveFile(app, `/widget/${name}`, join(built, name), {
      contentType: 'text/javascript; charset=utf-8',
      cacheControl: 'public, max-age=86400, stale-while-revalidate=604800',
      // Do not vary by Origin, so that a shared cache stores one copy.
      headers: {
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      },
      vary: 'Accept-Encoding',
      // At the default quality Brotli output is larger than gzip output.
      brotliQuality: 11,
    })
  }
}
