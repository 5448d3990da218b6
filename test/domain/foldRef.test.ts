import { expect, it } from 'vitest'
import { foldRef, looseRef } from '../../src/domain/foldText.ts'

it.each([
  ['m ab  101', 'M AB 101'],
  ['M-AB 101', 'm ab101'],
  ['M – AB\u00a0-\u2003101', 'M AB 101'],
  ['B\u00a01', 'B 1'],
  ['EL12345', 'EL-12345'],
  ['AA 12 345', 'aa12-345'],
  ['1 ABC 234', '1abc234'],
  ['TO\u0308L 1', 'töl 1'],
  ['M-AB\u200b 101\u00ad', 'M-AB 101'],
  ['ＭＡＢ101', 'MAB 101'],
])('foldRef returns the same for %j as for %j', (ref, same) => {
  expect(foldRef(ref)).toBe(foldRef(same))
})

it.each([
  ['B MW 555', 'BM W 555', true],
  ['MAB 101', 'M AB 101', true],
  ['12 345', '123 45', true],
  ['А123ВС', 'A123BC', true],
  ['ΙΚΥ 1234', 'IKY 1234', true],
  ['A.123', 'A123', false],
  ['M AB 101', 'M AB 102', false],
])('foldRef tells %j from %j, and looseRef does not: %j', (ref, other, isLoose) => {
  expect(foldRef(ref)).not.toBe(foldRef(other))
  expect(looseRef(ref) === looseRef(other)).toBe(isLoose)
})
