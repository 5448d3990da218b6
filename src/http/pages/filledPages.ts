import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { getAndHead } from '../chain/operation.ts'
import { representation, sendConditionally } from '../server/conditionalResponse.ts'
import { acceptsHtml, pageHeaders } from '../server/errorPage.ts'
import { contentSecurityPolicy, html, publicDirectory } from './staticFiles.ts'

/** The example website of a demo, if its port was free, and the key that the guide shows. */
export interface DemoAccess {
  readonly siteUrl: string | undefined
  readonly serverKey: string
}

interface PageDeps {
  readonly lifecycle: { readonly demo?: DemoAccess }
}

/** Must match the links in `public/home.html`. */
const addresses = {
  guide: '/docs/integrate',
  reference: '/docs',
  openapi: '/openapi.json',
  forPrograms: '/llms.txt',
}

/** An address without a path; none of its characters is special in HTML or a program. */
const wellFormedAddress = /^https?:\/\/([\w.-]{1,255}|\[[\da-f:.]{2,45}\])(:\d{1,5})?$/i

/** Returns the address that the client used, or undefined if it is not well-formed. */
function addressOf({ protocol, host }: FastifyRequest): string | undefined {
  const used = `${protocol}://${host}`
  return wellFormedAddress.test(used) ? used : undefined
}

/** Serves `/` as a page for browsers and as JSON for other clients. */
export async function home(app: FastifyInstance, { lifecycle }: PageDeps): Promise<void> {
  const page = await readFile(join(publicDirectory, 'home.html'), 'utf8')
  app.get('/', (request, reply) => {
    const { vary } = pageHeaders
    if (!acceptsHtml(request)) return reply.headers({ vary }).send(addresses)
    const address = addressOf(request) ?? ''
    const siteUrl = lifecycle.demo?.siteUrl
    const isShown = siteUrl !== undefined && wellFormedAddress.test(siteUrl)
    const demo = isShown ? `\n<a href="${siteUrl}">Example website</a>` : ''
    return reply
      .headers(pageHeaders)
      .send(page.replaceAll('{{address}}', () => address).replace('<!--demo-->', () => demo))
  })
}

const filled = [
  ['integrate.html', '/docs/integrate', html],
  ['widget.html', '/docs/widget', html],
  ['llms.txt', '/llms.txt', 'text/plain; charset=utf-8'],
] as const

/**
 * Serves the guide with the address that the client used and, in a demo, the key of the demo. The
 * address differs between clients, so the pages are not stored in compressed form.
 */
export async function guide(app: FastifyInstance, { lifecycle }: PageDeps): Promise<void> {
  for (const [file, url, contentType] of filled) {
    const page = await readFile(join(publicDirectory, file), 'utf8')
    app.route({
      method: getAndHead,
      url,
      config: { cacheControl: 'public, no-cache' },
      handler(request, reply) {
        const address = addressOf(request) ?? 'https://api.example.com'
        const key = lifecycle.demo?.serverKey ?? 'pk_live_...'
        const text = page.replaceAll('{{address}}', address).replaceAll('{{serverKey}}', key)
        reply.header('content-security-policy', contentSecurityPolicy)
        return sendConditionally(reply, representation(text), { contentType, vary: 'Origin' })
      },
    })
  }
}
