import { promisify } from 'node:util'
import zlib from 'node:zlib'

export type Compression = 'br' | 'gzip'
export type Coding = Compression | 'identity'

/**
 * The coding that an `Accept-Encoding` asks for. Identity also when it allows none that we know: an
 * answer in the wrong coding is of more use than none (RFC 9110, 12.5.3).
 */
export function acceptedCoding(acceptEncoding: string | undefined): Coding {
  if (acceptEncoding === undefined) return 'identity'
  const weights = new Map(acceptEncoding.toLowerCase().split(',').map(weighed))
  const weightOf = (coding: Compression) => weights.get(coding) ?? weights.get('*') ?? 0
  const best = weightOf('gzip') > weightOf('br') ? 'gzip' : 'br'
  const wanted = weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0)
  return wanted ? best : 'identity'
}

/** `gzip;q=0.5` as the coding's name and its weight. */
function weighed(entry: string): [name: string, weight: number] {
  const [name = '', ...parameters] = entry.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return [name, weight === undefined ? 1 : Number(weight)]
}

/** Lists of JSON hardly get smaller before 11, which takes two hundred times as long. */
const usualQuality = 4

/** Compresses on a thread of its own: nobody's request waits for another's. */
export async function compress(
  whole: string | Buffer,
  coding: Compression,
  brotliQuality = usualQuality,
) {
  const options = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: brotliQuality } }
  const bytes = await (coding === 'br'
    ? promisify<string | Buffer, object, Buffer>(zlib.brotliCompress)(whole, options)
    : promisify<string | Buffer, Buffer>(zlib.gzip)(whole))
  // Copied: zlib's buffer is a part of 16 KB, which would stay in memory with it.
  return Buffer.from(new Uint8Array(bytes).buffer)
}
