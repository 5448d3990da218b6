import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { projectRoot } from '../../projectRoot.ts'
import { keptRepresentation, sendConditionally } from '../door/conditional.ts'
import type { PagePlugin } from '../fastify.ts'

interface Page {
  readonly type: string
  /** Its `Cache-Control`. */
  readonly caching: string
  readonly headers?: Readonly<Record<string, string>>
  readonly vary?: string
  /** How hard to compress; 11 is best, and takes seconds for a megabyte. */
  readonly brotliQuality?: number
}

/** For what may change with each release. */
export const untilAsked = 'public, no-cache'

/**
 * Serves a file of text from memory, with an ETag, and compressed once for each coding. From memory,
 * since a file opened for each request stays open until the caller reads it.
 */
export async function serveFile(
  app: FastifyInstance,
  path: string,
  file: string,
  { type, caching, headers = {}, vary = 'Origin, Accept-Encoding', brotliQuality }: Page,
): Promise<void> {
  const kept = keptRepresentation(await readFile(file, 'utf8'), brotliQuality)
  app.get(path, { config: { caching } }, (request, reply) =>
    sendConditionally(request, reply.headers(headers), kept, { contentType: type, vary }),
  )
}

const files = [
  ['openapi.json', 'application/json; charset=utf-8'],
  ['openapi.yaml', 'application/yaml'],
  ['arazzo.yaml', 'application/yaml'],
  ['llms.txt', 'text/plain; charset=utf-8'],
] as const

/**
 * GET /openapi.json and /openapi.yaml: the contract, for tools and for people; /arazzo.yaml: a booking
 * in steps; /llms.txt: for programs that read and write. `npm run openapi` makes them.
 */
export const openapi: PagePlugin = async (app) => {
  for (const [name, type] of files) {
    await serveFile(app, `/${name}`, join(projectRoot, name), { type, caching: untilAsked })
  }
}

const built = join(projectRoot, 'clients/widget/dist')

/**
 * GET /widget/v1.js: the element `<rental-booking>`, for any page; beside it the words of further
 * languages. `npm run build` makes them, and nothing starts without.
 */
export const widget: PagePlugin = async (app) => {
  for (const name of await readdir(built)) {
    await serveFile(app, `/widget/${name}`, join(built, name), {
      type: 'text/javascript; charset=utf-8',
      // A day without asking, and a week in which the old one serves while the new one is fetched.
      caching: 'public, max-age=86400, stale-while-revalidate=604800',
      // The same for every page, so that what is between keeps one copy.
      headers: {
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      },
      vary: 'Accept-Encoding',
      // At the usual quality they would be longer than with gzip.
      brotliQuality: 11,
    })
  }
}
