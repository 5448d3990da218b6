import { expect, it } from 'vitest'
import { foldText } from '../../src/domain/foldText.ts'

it.each([
  ['', ''],
  ['Kari Nordmann', 'kari nordmann'],
  ['ØDEGÅRD', 'ødegård'],
  ['JÖRG@Example.com', 'jörg@example.com'],
  ['Mu\u0308ller', 'müller'],
  ['STRAẞE Straße STRASSE', 'strasse strasse strasse'],
  ['ΟΔΥΣΣΕΥΣ Οδυσσευς', 'οδυσσευσ οδυσσευσ'],
  ['ЖУКОВ', 'жуков'],
  ['İ I ı', 'i\u0307 i ı'],
  ['Ǆ Ｋａｒｉ ﬁ', 'dž kari fi'],
  ["O'Brien O’Brien O‘Brien Oʼbrien O´Brien O`Brien O＇Brien", Array(7).fill("o'brien").join(' ')],
  ['14-16 14–16 14—16 14−16 14‑16 14－16', Array(6).fill('14-16').join(' ')],
  ['李小龙 محمد 𝒳', '李小龙 محمد x'],
])('folds %j to %j', (text, folded) => {
  expect(foldText(text)).toBe(folded)
  expect(foldText(folded)).toBe(folded)
})
