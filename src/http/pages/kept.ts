import type { FastifyInstance } from 'fastify'
import { keptRepresentation, sendConditionally } from '../door/conditional.ts'

interface Page {
  readonly type: string
  readonly text: string
  /** Its `Cache-Control`. */
  readonly caching: string
  readonly headers?: Readonly<Record<string, string>>
  /** How hard to compress; 11 is best, and takes seconds for a megabyte. */
  readonly brotliQuality?: number
}

/** For what may change with each release. */
export const untilAsked = 'public, no-cache'

/**
 * Serves a text from memory, with an ETag, and compressed once for each coding. From memory, since a
 * file opened for each request stays open until the caller reads it.
 */
export function serveKept(
  app: FastifyInstance,
  path: string,
  { type, text, caching, headers = {}, brotliQuality }: Page,
): void {
  const kept = { ...keptRepresentation(text), ...(brotliQuality && { brotliQuality }) }
  app.get(path, { config: { caching } }, (request, reply) =>
    sendConditionally(request, reply.headers(headers), kept, {
      contentType: type,
      vary: 'Accept-Encoding',
    }),
  )
}
