import { describe, expect, it } from 'vitest'
import { idRange } from '../../src/domain/ids.ts'

const id = '4f1c2a9e-6b0d-4c57-9a51-7d1f0c7f5a11'

describe('idRange', () => {
  it('returns the first and last id with a prefix, in either letter case', () => {
    const range = {
      first: '4f1c2a9e-6b00-0000-0000-000000000000',
      last: '4f1c2a9e-6bff-ffff-ffff-ffffffffffff',
    }
    expect(idRange('4f1c2a9e-6b')).toEqual(range)
    expect(idRange(' 4F1C2A9E-6B ')).toEqual(range)
    expect(idRange('4f1c2a')?.last).toBe('4f1c2aff-ffff-ffff-ffff-ffffffffffff')
    expect(idRange('4f1c2a9e-')?.first).toBe('4f1c2a9e-0000-0000-0000-000000000000')
    expect(idRange(id)).toEqual({ first: id, last: id })
  })

  it.each(['', '4f1c2', '4f1c2g', '4f1c-2a', '4f1c2a9e6b', '%f1c2a', `${id}0`, "'; --  "])(
    'returns undefined for the prefix %j',
    (typed) => {
      expect(idRange(typed)).toBeUndefined()
    },
  )
})
