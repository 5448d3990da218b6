import type { Wanted } from './case.ts'
import { invalid, ok, refused } from './case.ts'

/** What is written to the socket; `KEY` stands for a good key. */
export type WireCase = readonly [id: string, what: string, bytes: string, wanted: Wanted]

const bad = refused(400, 'VALIDATION_ERROR')
const tooLarge = { status: 431, code: 'VALIDATION_ERROR' } as const
const start = 'GET /api/v1/asset-groups HTTP/1.1\r\nX-Api-Key: KEY\r\n'
const host = 'Host: api.example\r\n'
const close = 'Connection: close\r\n'
const post = `POST /api/v1/quotes HTTP/1.1\r\nX-Api-Key: KEY\r\n${host}`
const json = 'Content-Type: application/json\r\n'
/** N-44 to N-49 and F-11: what never becomes a request, or only just does. */
export const wire: readonly WireCase[] = [
  [
    'N-44',
    'a length and chunks',
    `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    bad,
  ],
  ['N-45', 'two lengths', `${post}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`, bad],
  ['N-45', 'a length of +5', `${post}Content-Length: +5\r\n\r\nhello`, bad],
  ['N-45', 'an unknown coding', `${post}${json}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`, bad],
  ['N-45', 'two codings', `${post}${json}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, bad],
  [
    'N-45',
    'chunks, in capitals',
    `${post}${json}${close}Transfer-Encoding: Chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    invalid('assetGroupId'),
  ],
  [
    'N-45',
    'a chunk with 20 KB of extensions',
    `${post}${json}Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
    refused(413, 'PAYLOAD_TOO_LARGE'),
  ],
  ['N-45', 'bare line feeds', 'GET /api/v1/asset-groups HTTP/1.1\nHost: x\n\n', bad],
  ['N-45', 'NUL in a header', `${start}${host}A: a\0b\r\n\r\n`, bad],
  ['N-45', 'a folded header', `${start}${host}A: a\r\n b\r\n\r\n`, bad],
  ['N-45', 'a space before the colon', `${start}${host}A : a\r\n\r\n`, bad],
  [
    'N-45',
    'a broken chunk',
    `${post}${json}Transfer-Encoding: chunked\r\n\r\nZZ\r\nhello\r\n0\r\n\r\n`,
    bad,
  ],
  ['N-45', 'nonsense', 'HELLO\r\n\r\n', bad],
  ['N-45', 'a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', bad],
  ['N-46', 'two Hosts', `${start}${host}${host}${close}\r\n`, bad],
  ['N-46', 'a Host, and a value that says so', `${start}${host}A: Host\r\n${close}\r\n`, ok(200)],
  [
    'N-46',
    'two Hosts of a preflight',
    `OPTIONS /api/v1/quotes HTTP/1.1\r\n${host}${host}${close}\r\n`,
    bad,
  ],
  [
    'N-46',
    'HTTP/1.0 without Host',
    `GET /api/v1/asset-groups HTTP/1.0\r\nX-Api-Key: KEY\r\n${close}\r\n`,
    ok(200),
  ],
  [
    'N-46',
    'an address instead of a path',
    `GET http://evil.example/api/v1/asset-groups HTTP/1.1\r\nX-Api-Key: KEY\r\n${host}${close}\r\n`,
    ok(200),
  ],
  ['N-47', 'a header of 20 KB', `${start}${host}A: ${'a'.repeat(20_000)}\r\n\r\n`, tooLarge],
  [
    'N-47',
    'a path of 20 KB',
    `GET /api/v1/${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`,
    tooLarge,
  ],
  ['F-7', 'an unknown method', `FOO /api/v1/asset-groups HTTP/1.1\r\n${host}\r\n`, bad],
  [
    'F-7',
    'a method of other protocols',
    `PROPFIND /api/v1/asset-groups HTTP/1.1\r\n${host}${close}\r\n`,
    refused(404, 'NOT_FOUND'),
  ],
  [
    'F-7',
    'TRACE',
    `TRACE /api/v1/asset-groups HTTP/1.1\r\nX-Api-Key: KEY\r\n${host}${close}\r\n`,
    refused(405, 'METHOD_NOT_ALLOWED'),
  ],
]
