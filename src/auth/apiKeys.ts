import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const keyPrefix = 'pk_live_'
/** 32 characters of base62 are 190 random bits. */
const randomLength = 32
const checksumLength = 6
const keyPattern = /^pk_live_[0-9A-Za-z]{38,100}$/

/** Makes a key: `pk_live_`, random base62 and a checksum over both (decision 26). */
export function generateApiKey(): string {
  const random = Array.from({ length: randomLength }, () => base62[randomInt(base62.length)])
  const body = keyPrefix + random.join('')
  return body + checksum(body)
}

/** Whether the text can be a key at all; typing errors and guesses fail without the database. */
export function isWellFormedApiKey(key: string): boolean {
  return (
    keyPattern.test(key) && checksum(key.slice(0, -checksumLength)) === key.slice(-checksumLength)
  )
}

/** SHA-256 of a key: the only form in which one is stored. */
export function hashApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

/** What lists may show of a key. */
export function describeApiKey(key: string): { prefix: string; last4: string } {
  return { prefix: key.slice(0, keyPrefix.length + 4), last4: key.slice(-4) }
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
