import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { email, phone } from '../../src/input/contact.ts'

/** The pattern of a "valid e-mail address" in the HTML standard. */
const browsers =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

describe('an e-mail address', () => {
  it('accepts every address that browsers accept', () => {
    fc.assert(
      fc.property(fc.stringMatching(browsers, { size: 'small' }), (address) => {
        expect(email.safeParse(address).success).toBe(address.length <= 254)
      }),
    )
  })

  it('rejects every ASCII address that browsers reject', () => {
    const parts = fc.array(
      fc.constantFrom('a', 'B', '7', '.', '-', '@', '_', '"', ' ', '[', ']', '(', ',', '\\', ':'),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(parts, (characters) => {
        const address = characters.join('').trim()
        expect([address, email.safeParse(address).success]).toEqual([
          address,
          browsers.test(address),
        ])
      }),
      { numRuns: 2_000, examples: [[['a', '@', 'B']], [['a', '@', 'B', '.', '.', 'a']]] },
    )
  })

  it.each([
    'kari@blåbær.no',
    'jörg@example.com',
    'x@y.xn--p1ai',
    'ivan@xn--80a1acny.xn--p1ai',
    ...[
      'иван@почта.рф',
      '用户@例子.广告',
      'अजय@डाटा.भारत',
      'maría@exámple.es',
      'kari@col·legi.cat',
      'a@נקודה׳.example',
      'a@コ・ム.example',
      'a@نامه\u200cای.example',
      'a@ශ්\u200dරී.example',
      'a@བོད\u0f0bཡིག.example',
    ],
    "o'brien@example.ie",
    'a@b',
    ...[
      `${'ø'.repeat(242)}@example.com`,
      `${'𐐷'.repeat(242)}@example.com`,
      `a@${'b'.repeat(63)}.no`,
    ],
  ])('accepts the address %s', (address) => {
    expect(email.parse(`\u00a0${address.normalize('NFD')} `)).toBe(address)
  })

  it.each([
    ['ｋａｒｉ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'kari@example.com'],
    ['taro＠例え。jp', 'taro@例え.jp'],
    ['a\u200cb@example.com', 'ab@example.com'],
    ['a@\u200cexample.com', 'a@example.com'],
    ['a@example\u200d.com', 'a@example.com'],
    ['kari@exa\u200cmple.com', 'kari@example.com'],
    ['a@exam\u00adple.com', 'a@example.com'],
    ['k\u202eå@b.no', 'kå@b.no'],
    ['k\u200bå@b.no', 'kå@b.no'],
    ['k\u3164å@b.no', 'kå@b.no'],
  ])('stores the address %j as %s', (typed, stored) => {
    expect(email.parse(typed)).toBe(stored)
  })

  it.each([
    '',
    'kari',
    'kari@',
    '@blåbær.no',
    'kari@blåbær..no',
    'kari@-blåbær.no',
    'kari@blåbær-.no',
    'k å@b.no',
    'kå@b_c.no',
    'kå@b\u2028.no',
    'kå@[1.2.3.4]',
    'kå@b.no, c@d.no',
    'k😀\ud800@b.no',
    `${'ø'.repeat(243)}@example.com`,
    `a@${'b'.repeat(64)}.no`,
  ])('rejects the address %j', (address) => {
    expect(email.safeParse(address).success).toBe(false)
  })
})

describe('a phone number', () => {
  it.each([
    ['+47 12 34 56 78', '+47 12 34 56 78'],
    [' 123 ', '123'],
    ['\u202a+47\u00a012\u202f34\u202c', '+471234'],
    ['\u200e(0)\u2007123-45/6x7\u200f', '(0)123-45/6x7'],
    [`1${' '.repeat(29)}23`, `1${' '.repeat(29)}23`],
    ['\u2066\u2069', ''],
    ['+47 12–34—56−78', '+47 12-34-56-78'],
    ['00 ٤٧ ۱۲ १२\u2009৩৪', '00 47 12 12 34'],
    ['（＋４７）\u3000１２３／４ｘ５', '(+47) 123/4x5'],
    ['+47\u2060 12\ufeff 34\u061c', '+47 12 34'],
    ['', ''],
  ])('normalizes the phone number %j to %j', (typed, taken) => {
    expect(phone.parse(typed)).toBe(taken)
  })

  it.each(['12', '+1 (2)', '()-.', `1${' '.repeat(30)}23`, '123a', '12\n3', '12\t3', '١٢', '½23'])(
    'rejects the phone number %j',
    (typed) => {
      expect(phone.safeParse(typed).success).toBe(false)
    },
  )
})
