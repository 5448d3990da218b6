import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { harmless, widthOf } from '../../src/operator/cell.ts'
import { table } from '../../src/operator/table.ts'

const rows = [
  { ID: '0123456789', NAME: 'A name that is rather long', TOTAL: '5.00' },
  { ID: 'x', NAME: 'Åse Ås', TOTAL: '1234.00' },
]
const layout = { whole: ['ID'], right: ['TOTAL'] } as const

const isolated = (text: string) => `\u2068${text}\u2069`

describe('a table', () => {
  it('is aligned', () => {
    expect(table(rows, layout)).toBe(
      'ID          NAME                          TOTAL\n' +
        '0123456789  A name that is rather long     5.00\n' +
        'x           Åse Ås                      1234.00\n',
    )
  })

  it('fits the terminal without shortening what must stay whole', () => {
    const lines = table(rows, layout, 34).trimEnd().split('\n')
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(34)
    expect(lines[1]).toBe('0123456789  A name that …     5.00')
  })

  it('becomes a list of records where the terminal is too narrow for columns', () => {
    expect(table(rows, layout, 28)).toBe(
      'ID     0123456789\nNAME   A name that is rather long\nTOTAL  5.00\n\n' +
        'ID     x\nNAME   Åse Ås\nTOTAL  1234.00\n',
    )
  })

  it('leaves out of such a record what is empty', () => {
    const row = { ID: '0123456789', NAME: '', TOTAL: '5.00' }
    expect(table([row], layout, 12)).toBe('ID     0123456789\nTOTAL  5.00\n')
  })

  it('stays one of columns however short its cells are', () => {
    expect(table([{ A: '1', B: '2' }], { whole: [] }, 20)).toBe('A  B\n1  2\n')
  })

  it('is aligned by what a terminal shows: wide characters take two columns, marks none', () => {
    const names = ['山田太郎', '김민수', 'Zoe\u0308', '👩‍👩‍👧', 'Li']
    const lines = table(
      names.map((NAME) => ({ NAME, NEXT: '|' })),
      { whole: [] },
    ).split('\n')
    expect(lines).toEqual([
      'NAME      NEXT',
      '山田太郎  |',
      '김민수    |',
      'Zoe\u0308       |',
      '👩‍👩‍👧        |',
      'Li        |',
      '',
    ])
  })

  it('shortens between characters, never within one, to the columns there are', () => {
    const wide = [{ ID: '1', NAME: '山田太郎山田太郎' }]
    // Nine columns for the name hold four wide characters and the ellipsis, ten no more than nine.
    expect(table(wide, { whole: ['ID'] }, 13)).toContain('1   山田太郎…\n')
    expect(table(wide, { whole: ['ID'] }, 14)).toContain('1   山田太郎…\n')
    const families = [{ ID: '1', NAME: '👩‍👩‍👧'.repeat(6) }]
    expect(table(families, { whole: ['ID'] }, 13)).toContain(`1   ${'👩‍👩‍👧'.repeat(4)}…\n`)
  })

  it('isolates what runs from right to left, so that nothing beside it is mirrored', () => {
    const mixed = [
      { NAME: 'محمد علي', FROM: '2038-03-01 10:00' },
      { NAME: 'דנה 7', FROM: '2038-03-02 10:00' },
      { NAME: 'Kari', FROM: '2038-03-03 10:00' },
    ]
    expect(table(mixed, { whole: [] })).toBe(
      'NAME      FROM\n' +
        `${isolated('محمد علي')}  2038-03-01 10:00\n` +
        `${isolated('דנה 7')}     2038-03-02 10:00\n` +
        'Kari      2038-03-03 10:00\n',
    )
    const short = [{ ID: '1', NAME: 'محمد علي بن أبي طالب' }]
    expect(table(short, { whole: ['ID'] }, 14)).toContain(`${isolated('محمد علي …')}\n`)
    const records = table([{ ID: '0123456789', NAME: 'محمد' }], { whole: ['ID', 'NAME'] }, 12)
    expect(records).toBe(`ID    0123456789\nNAME  ${isolated('محمد')}\n`)
  })

  it('shows no control character and no mark that turns the direction', () => {
    const [, line] = table([{ A: 'a\x1b[31m\u202eb\u2069c\n\x9bd', B: '2' }], { whole: [] }).split(
      '\n',
    )
    expect(line).toBe('a\ufffd[31m\ufffdb\ufffdc\ufffd\ufffdd  2')
  })
})

it('a character takes as many columns as others count for it', () => {
  const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCodePoint(code))
  expect(characters.filter((each) => widthOf(each) !== stringWidth(each))).toEqual([])
})

describe('a line that is too long for its terminal', () => {
  it('goes on under its text, beside what labels it', () => {
    expect(harmless('ok      a rule that is long\nshort\n', 18)).toBe(
      'ok      a rule\n        that is\n        long\nshort\n',
    )
    expect(harmless('  a sentence of ours', 12)).toBe('  a sentence\n  of ours')
    expect(harmless('山田 山田 山田', 9)).toBe('山田 山田\n山田')
  })

  it('goes on under what it is indented by, where its label takes more than half', () => {
    const event = '    Tue 26 Feb 2030 09:12  confirmed by Ingrid'
    expect(harmless(event, 30)).toBe('    Tue 26 Feb 2030 09:12 \n    confirmed by Ingrid')
    const day = '> Sat 2 Mar - Sun 3 Mar   0 of 22 taken'
    expect(harmless(day, 34)).toBe('> Sat 2 Mar - Sun 3 Mar   0 of 22\n  taken')
  })

  it('ends with what it isolates, which the next line isolates anew', () => {
    expect(harmless(`by ${isolated('אבג דהו')} at 10`, 8)).toBe(
      `by ${isolated('אבג')}\n${isolated('דהו')} at\n10`,
    )
  })

  it('stays whole when it is one word, which is there to be copied, and where nobody looks', () => {
    expect(harmless('pk_live_0123456789', 10)).toBe('pk_live_0123456789')
    expect(harmless('a sentence of ours')).toBe('a sentence of ours')
  })
})
