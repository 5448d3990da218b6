import type { AddressInfo } from 'node:net'
import { type FastifyInstance, fastify } from 'fastify'
import type { Logger } from 'pino'
import { readSiteFiles, type SiteFile } from './siteFiles.ts'

/** What the page needs to know: served as /config.json, with what `read` finds at that moment. */
interface SiteConfig {
  /** Where the API is, without `/api/v1`. */
  readonly baseUrl: string
  readonly apiKey: string
  read(): Promise<object | undefined>
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
}

/**
 * Serves examples/booking-site on a port of its own: an origin of its own, so that the browser
 * holds it to everything it holds other websites to. Undefined, with a warning, when it can't.
 */
export async function openSite(options: SiteOptions): Promise<Site | undefined> {
  const { host, port, log } = options
  const files = await readSiteFiles()
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
        `default-src 'none'; script-src 'self' ${apiOrigin}; style-src 'self'`,
        // Its photos have one address, whatever name the page itself was opened by.
        `img-src 'self' https: http://127.0.0.1:*; connect-src 'self' ${apiOrigin}`,
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
  app.get('/config.json', async (_request, reply) => {
    const { read, ...known } = config() ?? {}
    const found = await read?.()
    return found === undefined ? reply.callNotFound() : { ...known, ...found }
  })
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).type('text/plain').send('Not found\n'),
  )
  return app
}
