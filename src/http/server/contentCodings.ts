import { promisify } from 'node:util'
import zlib from 'node:zlib'

export type Compression = 'br' | 'gzip'
export type Coding = Compression | 'identity'

/**
 * Returns the best supported coding for an `Accept-Encoding` header. Falls back to identity, even
 * when the header excludes it (RFC 9110, 12.5.3).
 */
export function acceptedCoding(acceptEncoding: string | undefined): Coding {
  if (acceptEncoding === undefined) return 'identity'
  const weights = new Map(acceptEncoding.toLowerCase().split(',').map(parseEntry))
  const weightOf = (coding: Compression) => weights.get(coding) ?? weights.get('*') ?? 0
  const best = weightOf('gzip') > weightOf('br') ? 'gzip' : 'br'
  const preferred = weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0)
  return preferred ? best : 'identity'
}

function parseEntry(entry: string): [name: string, weight: number] {
  const [name = '', ...parameters] = entry.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return [name, weight === undefined ? 1 : Number(weight)]
}

/**
 * Qualities 5 to 10 make JSON lists hardly smaller than quality 4. Quality 11 takes two hundred
 * times as long.
 */
const usualQuality = 4

/** Compresses on a thread of the pool, so other requests are not blocked. */
export async function compress(
  whole: string | Buffer,
  coding: Compression,
  brotliQuality = usualQuality,
) {
  const options = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: brotliQuality } }
  const bytes = await (coding === 'br'
    ? promisify<string | Buffer, object, Buffer>(zlib.brotliCompress)(whole, options)
    : promisify<string | Buffer, Buffer>(zlib.gzip)(whole))
  // Copy: the buffer of zlib is a slice of 16 KB, which would stay in memory.
  return Buffer.from(new Uint8Array(bytes).buffer)
}
