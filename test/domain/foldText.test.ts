import { describe, expect, it } from 'vitest'
import { dashes, foldText } from '../../src/domain/foldText.ts'
import { foldings } from './foldings.ts'

describe('foldText', () => {
  it.each(foldings)('folds %j to %j', (text, folded) => {
    expect(foldText(text)).toBe(folded)
    expect(foldText(folded)).toBe(folded)
  })

  it('knows every dash of the Basic Multilingual Plane', () => {
    const all = Array.from({ length: 0x10000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((character) => /\p{Dash}/u.test(character) && character !== '-')
    expect([...dashes]).toEqual(expect.arrayContaining(all))
  })
})
