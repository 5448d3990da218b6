import { expect, it } from 'vitest'
import { foldForSearch, foldText } from '../../src/domain/foldText.ts'

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

it.each([
  ['Çağla Novák Müller', 'cagla novak muller'],
  ['Yıldız YILDIZ IŞIK İ', 'yildiz yildiz isik i'],
  ['Þórdís Ødegård Æbelø Łódź Đức', 'thordis odegard aebelo lodz duc'],
  ['ka\u00adri\u200b', 'kari'],
  ['김 ガ がっこう', '김 カ かっこう'],
])('folds %j for searching to %j', (text, folded) => {
  expect(foldForSearch(text)).toBe(folded)
})
