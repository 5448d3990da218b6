import { readdir, readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { extname, join, sep } from 'node:path'
import { fastify } from 'fastify'
import type { Logger } from 'pino'
import { projectRoot } from '../config/projectRoot.ts'

/** The content of /config.json. Each request calls `read` and adds its result. */
interface SiteSource {
  /** The address of the API, without `/api/v1`. */
  readonly baseUrl: string
  readonly apiKey: string
  read(): Promise<object | undefined>
}

/**
 * Serves examples/booking-site on its own port, so that browsers treat it as another origin than
 * the API. Logs a warning and returns undefined if the port is not available.
 */
export async function openSite({ host, port, log }: { host: string; port: number; log: Logger }) {
  let config: SiteSource | undefined
  const app = await serve(() => config)
  try {
    await app.listen({ host, port })
  } catch (error) {
    const { message: reason } = error as Error
    log.warn(
      { reason, port },
      `the example website can't listen on port ${port}: set DEMO_PORT to a free port`,
    )
    return undefined
  }
  return {
    port: (app.server.address() as AddressInfo).port,
    configure(given: SiteSource) {
      config = given
    },
    close: () => app.close(),
  }
}

/** Builds the server. Its files are read once and served from memory. */
async function serve(config: () => SiteSource | undefined) {
  const app = fastify({ forceCloseConnections: true })
  app.addHook('onRequest', async (_request, reply) => {
    const baseUrl = config()?.baseUrl
    const apiOrigin = baseUrl === undefined ? '' : new URL(baseUrl).origin
    reply.headers({
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': [
        `default-src 'none'; script-src 'self' ${apiOrigin}; style-src 'self'`,
        // Photos have 127.0.0.1 URLs, even if the page was opened as localhost.
        `img-src 'self' https: http://127.0.0.1:*; connect-src 'self' ${apiOrigin}`,
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      ].join('; '),
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
    })
  })
  const files = await readSiteFiles()
  for (const { path, type, body } of files) {
    app.get(path, (_request, reply) => reply.type(type).send(body))
  }
  app.get('/config.json', async (_request, reply) => {
    const { read, ...known } = config() ?? {}
    const found = await read?.()
    return found === undefined ? reply.callNotFound() : { ...known, ...found }
  })
  const lost = files.find(({ path }) => path === '/404.html')
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).type('text/html; charset=utf-8').send(lost?.body),
  )
  return app
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.js': 'text/javascript; charset=utf-8',
}

const directory = join(projectRoot, 'examples/booking-site')

async function readSiteFiles() {
  const files = []
  for (const name of await readdir(directory, { recursive: true })) {
    const type = types[extname(name)]
    if (type === undefined) continue
    const path = `/${name.replaceAll(sep, '/').replace(/^index\.html$/, '')}`
    files.push({ path, type, body: await readFile(join(directory, name)) })
  }
  return files
}
