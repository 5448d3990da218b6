import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type FastifyInstance, fastify } from 'fastify'
import type { Logger } from 'pino'
import type { Demo } from './demo.ts'
import { readSiteFiles, type SiteFile } from './siteFiles.ts'

/** What the page needs to know, served as /config.json. */
interface SiteConfig extends Pick<Demo, 'shop' | 'extras'> {
  /** Where the API is, without `/api/v1`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** How often the page asks what the staff have decided. */
  readonly pollSeconds: number
}

/** The example website, listening. */
export interface Site {
  readonly port: number
  /** Gives it something to show. */
  configure(config: SiteConfig): void
  close(): Promise<void>
}

interface SiteOptions {
  readonly host: string
  readonly port: number
  readonly log: Logger
  /** Where its scripts were compiled to. */
  readonly scripts?: string
}

const compiledScripts = join(import.meta.dirname, '../site')

/**
 * Serves examples/booking-site on a port of its own: an origin of its own, so that the browser
 * holds it to everything it holds other websites to. Undefined, with a warning, when it can't.
 */
export async function openSite(options: SiteOptions): Promise<Site | undefined> {
  const { host, port, log, scripts = compiledScripts } = options
  const files = await readSiteFiles(scripts)
  if (files === undefined) {
    log.warn('the example website is not there: `npm run build` makes it')
    return undefined
  }
  let config: SiteConfig | undefined
  const app = serve(files, () => config)
  try {
    await app.listen({ host, port })
  } catch (err) {
    log.warn({ err, port }, `the example website can't listen on port ${port}: choose a DEMO_PORT`)
    return undefined
  }
  return {
    port: (app.server.address() as AddressInfo).port,
    configure(given) {
      config = given
    },
    close: () => app.close(),
  }
}

/** Serves these files from memory, and nothing else. */
function serve(files: readonly SiteFile[], config: () => SiteConfig | undefined): FastifyInstance {
  const app = fastify({ forceCloseConnections: true })
  app.addHook('onRequest', async (request, reply) => {
    const baseUrl = config()?.baseUrl
    const apiOrigin = baseUrl === undefined ? '' : new URL(baseUrl).origin
    reply.headers({
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': [
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https:",
        `connect-src 'self' ${apiOrigin}`,
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      ].join('; '),
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
    })
    // The router takes `*` for `/`.
    if (!request.url.startsWith('/')) return reply.callNotFound()
  })
  for (const { path, type, body } of files) {
    app.get(path, (_request, reply) => reply.type(type).send(body))
  }
  app.get('/config.json', async (_request, reply) => config() ?? reply.callNotFound())
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).type('text/plain').send('Not found\n'),
  )
  return app
}
