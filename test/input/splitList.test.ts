import { expect, it } from 'vitest'
import { splitList } from '../../src/input/fields.ts'

it.each([
  ['a,b', ['a', 'b']],
  [' a b , c ', ['a b', 'c']],
  ['a,,', ['a']],
  ['', []],
])('splits %j into %j', (text, entries) => {
  expect(splitList(text)).toEqual(entries)
})
