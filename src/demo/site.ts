import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { readSiteFiles, type SiteFile } from './siteFiles.ts'

/** What the page needs to know, served as /config.json. */
interface SiteConfig {
  /** Where the API is, without `/api/v1`. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly shop: SiteShop
  /** The API has no operation that lists them. */
  readonly extras: readonly SiteExtra[]
  /** How often the page asks what the staff have decided. */
  readonly pollSeconds: number
}

interface SiteShop {
  readonly name: string
  readonly timeZone: string
  readonly currency: string
}

interface SiteExtra {
  readonly id: string
  readonly name: string
  readonly price: string
  readonly pricing: 'per_day' | 'per_rental'
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
  let apiOrigin = ''
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    const known =
      request.method === 'GET' || request.method === 'HEAD' ? files.get(path) : undefined
    answer(response, known, apiOrigin)
  })
  try {
    server.listen({ host, port })
    await once(server, 'listening')
  } catch (err) {
    log.warn({ err, port }, `the example website can't listen on port ${port}: choose a DEMO_PORT`)
    return undefined
  }
  return {
    port: (server.address() as AddressInfo).port,
    configure(config) {
      apiOrigin = new URL(config.baseUrl).origin
      const body = Buffer.from(JSON.stringify(config))
      files.set('/config.json', { type: 'application/json', body })
    },
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function answer(response: ServerResponse, file: SiteFile | undefined, apiOrigin: string): void {
  const { type, body } = file ?? { type: 'text/plain', body: Buffer.from('Not found\n') }
  response.writeHead(file === undefined ? 404 : 200, {
    'Content-Type': type,
    'Content-Length': body.length,
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': [
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https:",
      `connect-src 'self' ${apiOrigin}`,
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ].join('; '),
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  })
  // Node leaves the body out of answers to HEAD by itself.
  response.end(body)
}
