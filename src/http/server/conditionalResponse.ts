import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { acceptedCoding, type Coding, type Compression, compress } from './contentCodings.ts'

/** One version of a successful answer, in every form in which it may be sent. */
interface Representation {
  readonly json: string | Buffer
  /** Strong, so each coding has its own. */
  readonly etags: Readonly<Record<Coding, string>>
  /** Gives a compressed form; left out when there are to be none. */
  readonly compressed?: (coding: Compression) => Promise<Buffer>
}

export function representation(json: string | Buffer): Representation {
  const digest = hash('sha256', json, 'base64url').slice(0, 27)
  const etags = { identity: `"${digest}"`, br: `"${digest}.br"`, gzip: `"${digest}.gzip"` }
  return { json, etags }
}

const uncompressedBytesMax = 1024
const textBytesMax = 16_384

/**
 * An answer kept for many: compressed when it is long, once for each coding (decision 58). A very long
 * one is bytes, which all share who are slow to read it; of text each would have a copy (decision 335).
 */
export function cachedRepresentation(json: string, brotliQuality?: number): Representation {
  const plain = representation(json)
  const { etags } = plain
  const length = Buffer.byteLength(json)
  if (length <= uncompressedBytesMax) return plain
  const body = length > textBytesMax ? Buffer.from(json) : json
  const made = new Map<Compression, Promise<Buffer>>()
  return {
    json: body,
    etags,
    compressed(coding) {
      const known = made.get(coding)
      if (known !== undefined) return known
      const compressing = compress(body, coding, brotliQuality)
      // Callers at the same time share one compression; a failed one is tried again by the next.
      made.set(coding, compressing)
      compressing.catch(() => made.delete(coding))
      return compressing
    },
  }
}

/** One for all servers of the process: an answer is found only by the object that it was made of. */
const answers = new WeakMap<object, { readonly version: string; readonly answer: Representation }>()

/** Keeps answers, the last version of each, for as long as what they are made of is remembered. */
export function cacheResponse(
  source: object,
  version: string,
  write: () => string,
): Representation {
  const known = answers.get(source)
  if (known?.version === version) return known.answer
  const answer = cachedRepresentation(write())
  answers.set(source, { version, answer })
  return answer
}

const apiAnswer = {
  contentType: 'application/json; charset=utf-8',
  vary: 'Origin, Authorization, X-Api-Key, Accept-Encoding',
}

/**
 * Sends an answer with its ETag, or 304 to a caller who has it in whatever coding, to be kept as
 * the route declares (decision 58). Everything else keeps `no-store`.
 */
export function sendConditionally(reply: FastifyReply, kept: Representation, page = apiAnswer) {
  const { headers, routeOptions } = reply.request
  const { json, etags, compressed } = kept
  const coding = compressed === undefined ? 'identity' : acceptedCoding(headers['accept-encoding'])
  const held = heldEtag(headers['if-none-match'], etags, coding)
  const cacheControl = routeOptions.config.cacheControl ?? 'no-store'
  const send = (body: string | Buffer | undefined) => {
    reply.headers({ etag: held ?? etags[coding], 'cache-control': cacheControl, vary: page.vary })
    if (body === undefined) return reply.code(304).send()
    if (coding !== 'identity') reply.header('content-encoding', coding)
    return reply.header('content-type', page.contentType).send(body)
  }
  if (held !== undefined) return send(undefined)
  if (compressed === undefined || coding === 'identity') return send(json)
  return compressed(coding).then(send)
}

/** Of our ETags the one that the caller has; weak comparison of a list (RFC 9110, 13.1.2). */
function heldEtag(ifNoneMatch: string | undefined, etags: Representation['etags'], coding: Coding) {
  // Most have the very one, and name it alone.
  if (ifNoneMatch === undefined || ifNoneMatch === etags[coding]) return ifNoneMatch
  if (ifNoneMatch.trim() === '*') return etags[coding]
  const held = ifNoneMatch.split(',').map((entry) => entry.trim().replace(/^W\//, ''))
  return [etags[coding], ...Object.values(etags)].find((etag) => held.includes(etag))
}
