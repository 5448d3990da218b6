import { describe, expect, it } from 'vitest'
import { idempotencyKey } from '../../../src/http/routes/createBooking.ts'

const visible = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index))

describe('idempotencyKey', () => {
  it.each(visible.filter((character) => !'",'.includes(character)))(
    'accepts the visible character %s',
    (character) => {
      expect(idempotencyKey.parse(character)).toBe(character)
      expect(idempotencyKey.parse(`k${character}`)).toBe(`k${character}`)
    },
  )

  it('accepts at most 255 characters, not counting surrounding quotes', () => {
    const long = 'k'.repeat(255)
    expect(idempotencyKey.parse(long)).toBe(long)
    expect(idempotencyKey.parse(`"${long}"`)).toBe(long)
    expect(idempotencyKey.safeParse(`${long}k`).success).toBe(false)
    expect(idempotencyKey.safeParse(`"${long}k"`).success).toBe(false)
  })

  it.each([
    ['"k"', 'k'],
    ['"a b, c"', 'a b, c'],
    ['"\\""', '"'],
    ['"\\\\"', '\\'],
    ['"\\\\n"', '\\n'],
    ['k"', 'k"'],
    ['a"b"c', 'a"b"c'],
    ['a\\b', 'a\\b'],
  ])('parses %s as the key %s', (sent, key) => {
    expect(idempotencyKey.parse(sent)).toBe(key)
  })

  it.each([
    '',
    ' ',
    'a b',
    'a,b',
    ',',
    '""',
    '"',
    '"k',
    '"k"x',
    '"a"b"',
    '"\\n"',
    '"\\"',
    'k\u007f',
  ])('rejects %j', (sent) => {
    const { error } = idempotencyKey.safeParse(sent)
    expect(error?.issues[0]?.message).toMatch(/^must be 1 to 255 visible ASCII characters/)
  })

  it.each(['é', '\u00a0', '😀', '\t', '\n', '\u0000'])(
    'rejects the character %j in quoted and unquoted keys',
    (bad) => {
      expect(idempotencyKey.safeParse(`k${bad}`).success).toBe(false)
      expect(idempotencyKey.safeParse(`"k${bad}"`).success).toBe(false)
    },
  )
})
