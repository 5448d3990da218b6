import { describe, expect, it } from 'vitest'
import { canonicalLanguage, chooseLanguage } from '../../src/domain/languages.ts'

describe('the language for an Accept-Language header', () => {
  it.each<[header: string, chosen: string]>([
    ['de', 'de'],
    ['DE', 'de'],
    ['de-CH', 'de'],
    ['de-Latn-CH-1996', 'de'],
    ['de-CH-x-phonebk', 'de'],
    ['nb-NO,nb;q=0.9,no;q=0.8,nn;q=0.7,en-US;q=0.6,en;q=0.5', 'nb'],
    ['fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5', 'en'],
    ['fr;q=0.9, de;q=0.2, nb;q=0.3', 'nb'],
    ['nb;q=0.5, de;q=0.5', 'nb'],
    ['fr, nb;q=0.1', 'nb'],
    ['pt-BR', 'pt-BR'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['pt-PT, de', 'pt-BR'],
    ['pt-Cyrl', 'en'],
    ['pt-A', 'en'],
    ['no', 'nb'],
    ['nn', 'nb'],
    ['no-NO', 'nb'],
    ['nn-NO, en;q=0.9', 'nb'],
    ['da, sv', 'en'],
    ['en-US,en;q=0.9,de;q=0.8', 'en'],
    ['*', 'en'],
    ['*;q=0.5, de', 'de'],
    ['de;q=0', 'en'],
    ['de;q=0, nb;q=0.001', 'nb'],
    ['de ; q=0.4 ,\tnb;q=0.3', 'de'],
    ['de;q=2, nb;q=0.5', 'nb'],
    ['de;q=high', 'en'],
    ['de_DE', 'en'],
    ['d', 'en'],
    ['', 'en'],
    [',;,=;q=1,--,-de', 'en'],
    ['\u{1F600}, de;q=0.1', 'de'],
    [`${'zz-Zzzz-ZZ;q=0.9,'.repeat(240)}de;q=0.1`, 'de'],
    [`${'a-'.repeat(2_000)}a, de;q=0.1`, 'de'],
    ['x'.repeat(4_096), 'en'],
  ])('of %j is %s', (header, chosen) => {
    expect(chooseLanguage(header, 'en', ['de', 'nb', 'pt-BR'])).toBe(chosen)
  })
})

it.each([
  ['no', ['nb', 'nn'], 'nb'],
  ['no', ['nn'], 'nn'],
  ['nn', ['nb', 'nn'], 'nn'],
  ['nn', ['no'], 'no'],
  ['nb-NO', ['no', 'nn'], 'no'],
  ['nb', ['nn'], 'en'],
  ['zh-TW', ['zh-CN'], 'en'],
  ['zh-HK', ['zh-CN', 'zh-TW'], 'zh-TW'],
])('for %s, of %j, is %s', (header, translated, chosen) => {
  expect(chooseLanguage(header, 'en', translated)).toBe(chosen)
})

it.each([
  ['DE-ch', 'de-CH'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['deu', 'de'],
  ['xx', undefined],
  ['english', undefined],
  ['de_CH', undefined],
  ['', undefined],
])('the canonical form of the tag %j is %s', (tag, canonical) => {
  expect(canonicalLanguage(tag)).toBe(canonical)
})
