import { describe, expect, it } from 'vitest'
import { table } from '../../src/cli/terminal/table.ts'

const rows = [
  { ID: '0123456789', NAME: 'A name that is rather long', TOTAL: '5.00' },
  { ID: 'x', NAME: 'Åse Ås', TOTAL: '1234.00' },
]
const layout = { fixed: ['ID'], right: ['TOTAL'] } as const

describe('table', () => {
  it('aligns columns', () => {
    expect(table(rows, layout)).toBe(
      'ID          NAME                          TOTAL\n' +
        '0123456789  A name that is rather long     5.00\n' +
        'x           Åse Ås                      1234.00\n',
    )
  })

  it('shortens columns to the terminal width, except columns listed in `fixed`', () => {
    const lines = table(rows, layout, 34).trimEnd().split('\n')
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(34)
    expect(lines[1]).toBe('0123456789  A name that …     5.00')
  })

  it('counts wide characters as two cells and combining marks as none', () => {
    const names = ['山田太郎', '김민수', 'Zoe\u0308', '👩‍👩‍👧', 'Li']
    const lines = table(
      names.map((NAME) => ({ NAME, NEXT: '|' })),
      { fixed: [] },
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

  it('replaces control characters and bidirectional marks', () => {
    const [, line] = table([{ A: 'a\x1b[31m\u202eb\u2069c\n\x9bd', B: '2' }], { fixed: [] }).split(
      '\n',
    )
    expect(line).toBe('a\ufffd[31m\ufffdb\ufffdc\ufffd\ufffdd  2')
  })
})
