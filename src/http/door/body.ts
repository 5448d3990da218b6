import { isUtf8 } from 'node:buffer'
import { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../../domain/errors.ts'
import { unreadableBody } from '../fastify.ts'

/** Drops a byte order mark. */
const utf8 = new TextDecoder()

/** What is shorter is gathered, but for the first few: an honest body comes in one or two. */
const pieceBytesMin = 256
const shortPiecesMax = 8
const gatheredBytes = 4096

/**
 * A request that hands its body on in pieces of a fair size. Each takes some 300 bytes of memory,
 * however short it is: sent byte by byte, a few dozen bodies would take all of it (decision 334).
 */
export class GatheringRequest extends IncomingMessage {
  #shortPieces = 0
  #gathered: Buffer | undefined
  #length = 0

  override push(piece: Buffer | null): boolean {
    const isShort = piece !== null && piece.length < pieceBytesMin
    if (!isShort || this.#shortPieces < shortPiecesMax) {
      if (isShort) this.#shortPieces += 1
      this.#handOn()
      return super.push(piece)
    }
    this.#gathered ??= Buffer.allocUnsafeSlow(gatheredBytes)
    this.#length += piece.copy(this.#gathered, this.#length)
    return this.#length + pieceBytesMin <= gatheredBytes || this.#handOn()
  }

  #handOn(): boolean {
    const whole = this.#gathered?.subarray(0, this.#length)
    this.#gathered = undefined
    this.#length = 0
    return whole === undefined || super.push(whole)
  }
}

/**
 * Reads JSON in UTF-8 and nothing else: another charset, a content encoding or a stray byte would
 * otherwise become text that the caller never sent. Anything that is not JSON is left to
 * validation, which names it together with whatever else is wrong.
 */
export function parseJsonBodies(app: FastifyInstance): void {
  // What would change all objects is ignored like any field that we don't know (decision 5).
  const parseJson = app.getDefaultJsonParser('remove', 'remove')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      if (!saysUtf8(request)) return done(new ApiError('UNSUPPORTED_MEDIA_TYPE'))
      if (!isUtf8(body)) return done(null, unreadableBody)
      void parseJson(request, utf8.decode(body), (error, value) =>
        done(null, error === null ? value : unreadableBody),
      )
    },
  )
}

/** Takes whatever body comes and drops it (decision 18). */
export function ignoreBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null))
  // Fastify refuses a type that it can't read before it looks for a parser.
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    delete headers['content-type']
    done()
  })
}

function saysUtf8({ headers }: FastifyRequest): boolean {
  // `utf8` is no registered name, but what many clients call it, and means nothing else (decision 491).
  const charset = /;\s*charset="?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8'
  const encoding = headers['content-encoding'] ?? 'identity'
  return /^utf-?8$/i.test(charset) && encoding.toLowerCase() === 'identity'
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined
}

/**
 * Whether the connection must be closed after this answer: the rest of the body is still to come, and
 * a proxy might read it as a request; or the caller wanted another protocol, and Node's parser drops
 * what it has read behind that (decision 428).
 */
export function mustClose(raw: IncomingMessage): boolean {
  return raw.headers.upgrade !== undefined || (!raw.complete && hasBody(raw))
}
