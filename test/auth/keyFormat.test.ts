import { crc32 } from 'node:zlib'
import { expect, it } from 'vitest'
import { generateApiKey, isWellFormedApiKey } from '../../src/auth/keyFormat.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Appends the CRC-32 of a key in six base62 digits. */
function withChecksum(body: string): string {
  let rest = crc32(body)
  const digits = Array.from({ length: 6 }, () => {
    const digit = base62.charAt(rest % 62)
    rest = Math.floor(rest / 62)
    return digit
  })
  return body + digits.reverse().join('')
}

it.each([31, 32, 33, 64])(
  'accepts only keys with at least 32 random characters and their checksum: %i characters',
  (length) => {
    const key = withChecksum(`pk_live_${'k3Y'.repeat(30).slice(0, length)}`)
    expect(isWellFormedApiKey(key)).toBe(length >= 32)
    expect(isWellFormedApiKey(`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`)).toBe(false)
  },
)

it('generates a key with 32 random characters and its checksum', () => {
  const key = generateApiKey()
  expect(key).toBe(withChecksum(key.slice(0, -6)))
  expect(key).toHaveLength('pk_live_'.length + 32 + 6)
  const drawn = Array.from({ length: 100 }, () => generateApiKey().slice(8, -6)).join('')
  expect(new Set(drawn).size).toBe(62)
})
