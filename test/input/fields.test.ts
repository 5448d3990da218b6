import { describe, expect, it } from 'vitest'
import { optional, plainText, wholeNumber } from '../../src/input/fields.ts'

const name = plainText({ min: 1, max: 5 })
const notes = plainText({ max: 5, multiline: true })
const takes = (field: typeof name, text: string) => field.safeParse(text).success

describe('a name', () => {
  it.each(['Kari', 'Ø', '李', 'अ', '?', '1', '😀', 'é', '👩\u200d👧', 'می\u200cخ', '𝒳𝒳𝒳𝒳𝒳'])(
    'accepts the name %j',
    (text) => {
      expect(name.parse(`  ${text}\u00a0`)).toBe(text)
    },
  )

  it.each(['', ' ', '\u200b', '\u200d', '\u2800', '\u3164', '\ufe0f', '\u0301\u0302', '\ue000'])(
    'rejects a name of invisible characters: %j',
    (text) => {
      expect(takes(name, text)).toBe(false)
    },
  )

  it.each(['\u0000', '\n', '\u007f', '\u0085', '\u2028', '\ud800'])(
    'rejects a name that contains %j',
    (bad) => {
      expect(takes(name, `a${bad}b`)).toBe(false)
    },
  )

  it.each([
    ['Mu\u0308ller', 'Müller'],
    ['B\u00a01', 'B 1'],
    ['\t B \u2009\u3000\t1\u202f', 'B 1'],
    ['O’B\u2013ß', 'O’B–ß'],
    ['ﬁ', 'ﬁ'],
    ['\u200fعلي\u200e', 'علي'],
    ['\u202bדוד\u202c', 'דוד'],
    ['Ka\u00adri\u200b', 'Kari'],
    ['\ufeffA\u2060B\u061c', 'AB'],
    ['A \u2067B\u2069 C', 'A B C'],
  ])('stores the name %j as %j', (typed, stored) => {
    expect(plainText({ min: 1, max: 6 }).parse(typed)).toBe(stored)
  })

  it.each([
    ['a\u0007b', 'must be one line without control characters, but has U+0007'],
    ['a\nb\u0007', 'must be one line without control characters, but has U+000A'],
  ])('names the code of the character that it rejects in %j', (text, message) => {
    expect(name.safeParse(text).error?.issues[0]?.message).toBe(message)
  })

  it('counts the length of a normalized name in code points', () => {
    expect(takes(name, '𝒳'.repeat(6))).toBe(false)
    expect(takes(name, 'e\u0301'.repeat(5))).toBe(true)
  })
})

describe('notes', () => {
  it.each(['a\nb', 'a\tb', 'a  b', 'a\u00a0b', '', '\u202eab\u202c', '\u2800'])(
    'accepts the notes %j unchanged',
    (text) => {
      expect(notes.parse(text)).toBe(text)
    },
  )

  it.each([
    [' a\r\nb\rc\n', 'a\nb\nc'],
    ['a\u000bb\u000cc', 'a\nb\nc'],
    ['a\u0085b', 'a\nb'],
    ['a\u2028b\u2029c', 'a\nb\nc'],
    ['e\u0301\u00a0', 'é'],
  ])('stores the notes %j as %j', (typed, stored) => {
    expect(notes.parse(typed)).toBe(stored)
  })

  it.each(['a\u0000', 'a\u007fb', 'a\u0084b', 'a\ud800b'])('rejects the notes %j', (text) => {
    expect(takes(notes, text)).toBe(false)
  })
})

describe('an optional field', () => {
  it.each([undefined, null, '', ' \u00a0\n'])('treats %j as missing', (nothing) => {
    expect(optional(notes).parse(nothing)).toBeUndefined()
  })

  it('validates an optional field when it is present', () => {
    expect(optional(notes).parse(' a ')).toBe('a')
    expect(optional(notes).safeParse('too long').success).toBe(false)
    expect(optional(notes).safeParse(0).success).toBe(false)
  })
})

describe('a quantity', () => {
  const quantity = wholeNumber(1, 100)
  const messageOf = (value: unknown) => quantity.safeParse(value).error?.issues[0]?.message

  it.each([1, 2, 99, 100])('accepts the quantity %j', (value) => {
    expect(quantity.parse(value)).toBe(value)
  })

  it.each([0, 101, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '5', null, true, [5]])(
    'rejects the quantity %j and names the bounds',
    (value) => {
      expect(messageOf(value)).toBe('must be a whole number from 1 to 100')
    },
  )

  it('reports a missing quantity without the bounds', () => {
    expect(messageOf(undefined)).not.toContain('whole number')
  })
})
