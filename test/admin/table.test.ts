import { describe, expect, it } from 'vitest'
import { table } from '../../src/admin/table.ts'

const rows = [
  { id: '0123456789', name: 'A name that is rather long', total: '5.00' },
  { id: 'x', name: 'Åse Ås', total: '1234.00' },
]
const columns = [
  { field: 'id', title: 'ID', whole: true },
  { field: 'name', title: 'NAME' },
  { field: 'total', title: 'TOTAL', right: true },
] as const

describe('a table', () => {
  it('is aligned', () => {
    expect(table(rows, columns)).toBe(
      'ID          NAME                          TOTAL\n' +
        '0123456789  A name that is rather long     5.00\n' +
        'x           Åse Ås                      1234.00\n',
    )
  })

  it('fits the terminal without shortening what must stay whole', () => {
    const lines = table(rows, columns, 34).trimEnd().split('\n')
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(34)
    expect(lines[1]).toBe('0123456789  A name that …     5.00')
  })

  it('becomes a list of records where the terminal is too narrow for columns', () => {
    expect(table(rows, columns, 20)).toBe(
      'ID     0123456789\nNAME   A name that is rather long\nTOTAL  5.00\n\n' +
        'ID     x\nNAME   Åse Ås\nTOTAL  1234.00\n',
    )
  })
})
