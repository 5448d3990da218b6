import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '../../projectRoot.ts'
import type { RoutePlugin } from '../fastify.ts'
import { serveKept } from './kept.ts'

const built = join(projectRoot, 'clients/widget/dist')

/** A day without asking, and a week in which the old one serves while the new one is fetched. */
const caching = 'public, max-age=86400, stale-while-revalidate=604800'

/** The same for every page, so that what is between keeps one copy. */
const anyPage = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

/**
 * GET /widget/v1.js: the element `<rental-booking>`, for any page; beside it the words of further
 * languages. `npm run build` makes them, and nothing starts without.
 */
export const widget: RoutePlugin = async (app) => {
  for (const name of await readdir(built)) {
    serveKept(app, `/widget/${name}`, {
      type: 'text/javascript; charset=utf-8',
      text: await readFile(join(built, name), 'utf8'),
      caching,
      headers: anyPage,
      // At the usual quality they would be longer than with gzip.
      brotliQuality: 11,
    })
  }
}
