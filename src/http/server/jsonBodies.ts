import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError, errorTable, validationError } from '../../domain/errors.ts'
import { repeatedFields } from '../../input/repeatedFields.ts'

const utf8 = new TextDecoder()

/** Parses JSON bodies in UTF-8; rejects other charsets, content encodings and bytes. */
export function parseJsonBodies(app: FastifyInstance): void {
  // Validation rejects `__proto__` and `constructor` as unknown fields.
  const parseJson = app.getDefaultJsonParser('ignore', 'ignore')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      if (!isPlainUtf8(request)) return done(unsupportedMediaType(request))
      if (!isUtf8(body)) return done(unreadableBody())
      const text = utf8.decode(body)
      void parseJson(request, text, (error, value) => {
        if (error !== null) return done(unreadableBody())
        const [repeated] = repeatedFields(text)
        const message = `has "${repeated?.name}" twice in one object`
        done(repeated === undefined ? null : validationError([{ path: '', message }]), value)
      })
    },
  )
}

/** Returns a 415 that repeats the `Content-Type` and `Content-Encoding` of the request. */
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

/** Accepts bodies of any type and discards them. */
export function ignoreBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null))
  // Fastify rejects malformed content types before it selects a parser.
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    delete headers['content-type']
    done()
  })
}

function isPlainUtf8({ headers }: FastifyRequest): boolean {
  // Many clients send the unregistered name `utf8`.
  const charset = /;\s*charset="?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8'
  const encoding = headers['content-encoding'] ?? 'identity'
  return /^utf-?8$/i.test(charset) && encoding.toLowerCase() === 'identity'
}
