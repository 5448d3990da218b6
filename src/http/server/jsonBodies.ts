import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError, errorTable, validationError } from '../../domain/errors.ts'

/** Drops a byte order mark. */
const utf8 = new TextDecoder()

/**
 * Reads JSON in UTF-8 and nothing else: another charset, a content encoding or a stray byte would
 * otherwise become text that the caller never sent.
 */
export function parseJsonBodies(app: FastifyInstance): void {
  // What would change all objects is ignored like any field that we don't know (decision 5).
  const parseJson = app.getDefaultJsonParser('remove', 'remove')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      if (!saysUtf8(request)) return done(unsupportedMediaType(request))
      if (!isUtf8(body)) return done(unreadableBody())
      void parseJson(request, utf8.decode(body), (error, value) =>
        done(error === null ? null : unreadableBody(), value),
      )
    },
  )
}

/** A 415 that repeats what the request said of its body. */
export function unsupportedMediaType({ headers }: FastifyRequest): ApiError {
  const encoding = headers['content-encoding']
  const sent = [
    `Content-Type ${quoted(headers['content-type'])}`,
    ...(encoding === undefined ? [] : [`Content-Encoding ${quoted(encoding)}`]),
  ]
  const { message } = errorTable.UNSUPPORTED_MEDIA_TYPE
  return new ApiError('UNSUPPORTED_MEDIA_TYPE', `${message} The request has ${sent.join(' and ')}.`)
}

const quoted = (value = '') => (value === '' ? 'missing' : `"${value.slice(0, 100)}"`)

const unreadableBody = () => validationError([{ path: '', message: 'must be valid JSON in UTF-8' }])

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
  // `utf8` is no registered name, but what many clients call it, and means nothing else.
  const charset = /;\s*charset="?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8'
  const encoding = headers['content-encoding'] ?? 'identity'
  return /^utf-?8$/i.test(charset) && encoding.toLowerCase() === 'identity'
}
