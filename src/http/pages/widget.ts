import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '../../projectRoot.ts'
import { keptRepresentation, sendConditionally } from '../door/conditional.ts'
import type { RoutePlugin } from '../fastify.ts'

const built = join(projectRoot, 'clients/widget/dist')

/** A day without asking, and a week in which the old one serves while the new one is fetched. */
const caching = 'public, max-age=86400, stale-while-revalidate=604800'

/**
 * GET /widget/v1.js: the element `<rental-booking>`, for any page; beside it the words of further
 * languages. `npm run build` makes them, and nothing starts without.
 */
export const widget: RoutePlugin = async (app) => {
  for (const name of await readdir(built)) {
    const text = await readFile(join(built, name), 'utf8')
    const script = { ...keptRepresentation(text), brotliQuality: 11 }
    app.get(`/widget/${name}`, { config: { caching } }, (request, reply) => {
      // The same for every page, so that what is between keeps one copy.
      reply.headers({
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      })
      return sendConditionally(request, reply, script, {
        contentType: 'text/javascript; charset=utf-8',
        vary: 'Accept-Encoding',
      })
    })
  }
}
