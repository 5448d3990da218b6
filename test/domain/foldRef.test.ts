import { expect, it } from 'vitest'
import { foldRef } from '../../src/domain/foldText.ts'

it.each([
  ['m ab  101', 'M AB 101'],
  ['MAB101', 'M AB 101'],
  ['B\u00a01', 'B 1'],
  ['TO\u0308L 1', 'töl 1'],
  ['M-AB\u200b 101\u00ad', 'M-AB 101'],
])('foldRef returns the same for %j as for %j', (ref, same) => {
  expect(foldRef(ref)).toBe(foldRef(same))
})

it('foldRef keeps other characters of a ref', () => {
  expect(foldRef('M-AB 101')).toBe('m-ab101')
})
