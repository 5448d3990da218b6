import { describe, expect, it } from 'vitest'
import {
  isDatabaseUnavailable,
  isRolledBack,
  retryConflicts,
} from '../../../src/db/connection/failures.ts'

describe('database failures', () => {
  const withCode = (code: string) => Object.assign(new Error('x'), { code })

  it.each([
    '08006',
    '53300',
    '57P01',
    '57014',
    '58030',
    '26000',
    '3D000',
    '55P03',
    '40001',
    '25006',
    '25P03',
    '28P01',
    'ECONNRESET',
    'ETIMEDOUT',
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    '42P01',
    '42501',
  ])('isDatabaseUnavailable accepts %s', (code) => {
    expect(isDatabaseUnavailable(withCode(code))).toBe(true)
    expect(isDatabaseUnavailable(new Error('Failed query', { cause: withCode(code) }))).toBe(true)
  })

  it.each(['EHOSTUNREACH', 'ENOENT', 'EACCES', 'EMFILE', 'ENOTFOUND', 'EAI_AGAIN'])(
    'isDatabaseUnavailable accepts %s only when a connection attempt failed',
    (code) => {
      const during = (syscall: string) => Object.assign(withCode(code), { syscall })
      const rejected = during(/NOTFOUND|AI_/.test(code) ? 'getaddrinfo' : 'connect')
      expect(isDatabaseUnavailable(rejected)).toBe(true)
      expect(isDatabaseUnavailable(new AggregateError([rejected, rejected]))).toBe(true)
      expect(isDatabaseUnavailable(during('open'))).toBe(false)
      expect(isDatabaseUnavailable(during('listen'))).toBe(false)
    },
  )

  it('isRolledBack treats a commit with unknown outcome as possibly committed', () => {
    const reported = (code: string) => Object.assign(withCode(code), { severity: 'ERROR' })
    expect(
      ['40003', '08007', '57P01', '23505'].map((code) => isRolledBack(reported(code))),
    ).toEqual([...[false, false, false], true])
    expect(isRolledBack(new Error('Query read timeout'))).toBe(false)
  })

  it.each([
    ['40001', 4],
    ['40P01', 4],
    ['55P03', 1],
    ['08006', 1],
  ])('retryConflicts on %s runs the transaction at most %d times', async (code, tries) => {
    let count = 0
    const error = await retryConflicts(async () => {
      count++
      throw withCode(code)
    }).catch((thrown: unknown) => thrown)
    expect([error, count]).toEqual([withCode(code), tries])
  })
})
