import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'

export type Compression = 'br' | 'gzip'
export type Coding = Compression | 'identity'

const codings: Coding[] = ['br', 'gzip', 'identity']

/** Returns the best supported coding for an `Accept-Encoding` header; of equal ones, the first. */
export const acceptedCoding = (acceptEncoding = ''): Coding =>
  negotiate(acceptEncoding, codings) ?? 'identity'

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
