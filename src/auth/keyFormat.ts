import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const keyPrefix = 'pk_live_'
/** 190 random bits. */
const randomLength = 32
const checksumLength = 6
const keyPattern = /^pk_live_[0-9A-Za-z]{38,100}$/

/** Generates an API key: `pk_live_`, random base62 characters and a checksum of both. */
export function generateApiKey(): string {
  const random = Array.from({ length: randomLength }, () => base62[randomInt(base62.length)])
  const body = keyPrefix + random.join('')
  return body + checksum(body)
}

/** Reports whether a text has the format and the checksum of an API key. */
export function isWellFormedApiKey(secret: string): boolean {
  return (
    keyPattern.test(secret) &&
    checksum(secret.slice(0, -checksumLength)) === secret.slice(-checksumLength)
  )
}

/** Returns the SHA-256 hash of a key; only this hash is stored. */
export function hashApiKey(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** Returns the parts of a key that may be displayed. */
export function describeApiKey(secret: string): { prefix: string; last4: string } {
  return { prefix: secret.slice(0, keyPrefix.length + 4), last4: secret.slice(-4) }
}

function checksum(body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let place = 0; place < checksumLength; place++) {
    digits = base62.charAt(rest % base62.length) + digits
    rest = Math.floor(rest / base62.length)
  }
  return digits
}
