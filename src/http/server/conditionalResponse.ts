import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { acceptedCoding, type Coding, type Compression, compress } from './contentCodings.ts'

/** One version of a response body, in every content coding. */
interface Representation {
  readonly json: string | Buffer
  /** Strong ETags, so each coding has a different one. */
  readonly etags: Readonly<Record<Coding, string>>
  /** Compresses the body; undefined for bodies that are sent uncompressed. */
  readonly compressed?: (coding: Compression) => Promise<Buffer>
}

/** Returns a body with its ETags. The body is always sent uncompressed. */
export function representation(json: string | Buffer): Representation {
  const digest = hash('sha256', json, 'base64url').slice(0, 27)
  const etags = { identity: `"${digest}"`, br: `"${digest}.br"`, gzip: `"${digest}.gzip"` }
  return { json, etags }
}

const uncompressedBytesMax = 1024
const textBytesMax = 16_384

/** Returns a body for many responses. Bodies over 1 KB are compressed once for each coding. */
export function cachedRepresentation(json: string, brotliQuality?: number): Representation {
  const plain = representation(json)
  const { etags } = plain
  const length = Buffer.byteLength(json)
  if (length <= uncompressedBytesMax) return plain
  // Slow clients share one Buffer; a string would be copied for each of them.
  const body = length > textBytesMax ? Buffer.from(json) : json
  const compressions = new Map<Compression, Promise<Buffer>>()
  return {
    json: body,
    etags,
    compressed(coding) {
      const cached = compressions.get(coding)
      if (cached !== undefined) return cached
      const compressing = compress(body, coding, brotliQuality)
      // Concurrent requests share one compression; the next request retries a failed one.
      compressions.set(coding, compressing)
      compressing.catch(() => compressions.delete(coding))
      return compressing
    },
  }
}

interface CachedList {
  readonly version: string
  readonly response: Representation | Promise<Representation>
}

/** Cached responses by the object they were built from, and by language; dropped with the object. */
const responses = new WeakMap<object, Map<string | undefined, CachedList>>()

/** Items that are serialized before other requests continue; they take about a millisecond. */
const itemsPerTick = 200

/**
 * Returns the cached list for `source`, `language` and `version`, or builds and caches it. Only the
 * last version is cached. `write` serializes `{ data }` for some of the items.
 */
export function cacheList<Item>(
  source: object,
  language: string | undefined,
  version: string,
  list: () => readonly Item[],
  write: (data: readonly Item[]) => string,
): Representation | Promise<Representation> {
  const ofSource = responses.get(source) ?? new Map<string | undefined, CachedList>()
  const cached = ofSource.get(language)
  if (cached?.version === version) return cached.response
  const items = list()
  const response =
    items.length <= itemsPerTick
      ? cachedRepresentation(write(items))
      : writeSlices(items, write).then((json) => cachedRepresentation(json))
  responses.set(source, ofSource.set(language, { version, response }))
  return response
}

async function writeSlices<Item>(
  items: readonly Item[],
  write: (data: readonly Item[]) => string,
): Promise<string> {
  const [before, after] = ['{"data":[', ']}']
  const slices: string[] = []
  for (let start = 0; start < items.length; start += itemsPerTick) {
    const json = write(items.slice(start, start + itemsPerTick))
    slices.push(json.slice(before.length, -after.length))
    await setImmediate()
  }
  return before + slices.join(',') + after
}

interface Page {
  readonly contentType: string
  readonly vary: string
  /** The language that `Accept-Language` chose; undefined if the header has no effect. */
  readonly language?: string | undefined
}

const apiPage: Page = {
  contentType: 'application/json; charset=utf-8',
  vary: 'Origin, Authorization, X-Api-Key, Accept-Encoding',
}

export const listPage = (language: string | undefined): Page =>
  language === undefined ? apiPage : { ...apiPage, language }

/** Returns the headers of a response that exists in several languages. */
export const languageHeaders = (language: string, vary: string) => {
  return { 'content-language': language, vary: `${vary}, Accept-Language` }
}

/**
 * Sends the body with its ETag and the `Cache-Control` of the route, or 304 when the client has it
 * in any coding.
 */
export function sendConditionally(reply: FastifyReply, body: Representation, page = apiPage) {
  const { headers, routeOptions } = reply.request
  const { json, etags, compressed } = body
  const coding = compressed === undefined ? 'identity' : acceptedCoding(headers['accept-encoding'])
  const matched = matchingEtag(headers['if-none-match'], etags, coding)
  const cacheControl = routeOptions.config.cacheControl ?? 'no-store'
  const send = (content: string | Buffer | undefined) => {
    reply.headers({
      etag: matched ?? etags[coding],
      'cache-control': cacheControl,
      vary: page.vary,
    })
    if (page.language !== undefined) reply.headers(languageHeaders(page.language, page.vary))
    if (content === undefined) return reply.code(304).send()
    if (coding !== 'identity') reply.header('content-encoding', coding)
    return reply.header('content-type', page.contentType).send(content)
  }
  if (matched !== undefined) return send(undefined)
  if (compressed === undefined || coding === 'identity') return send(json)
  return compressed(coding).then(send)
}

/**
 * Returns the ETag that `If-None-Match` contains, by weak comparison of a list (RFC 9110, 13.1.2).
 */
function matchingEtag(
  ifNoneMatch: string | undefined,
  etags: Representation['etags'],
  coding: Coding,
) {
  if (ifNoneMatch === undefined || ifNoneMatch === etags[coding]) return ifNoneMatch
  if (ifNoneMatch.trim() === '*') return etags[coding]
  const sent = ifNoneMatch.split(',').map((entry) => entry.trim().replace(/^W\//, ''))
  return [etags[coding], ...Object.values(etags)].find((etag) => sent.includes(etag))
}
