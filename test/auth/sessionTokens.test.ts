import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sessionTokens } from '../../src/auth/sessionTokens.ts'

const origin = 'https://shop-a.example'

describe('two session secrets', () => {
  const [old, fresh] = [
    'an-old-secret-of-32-bytes-or-more-aaa',
    'a-new-secret-of-32-bytes-or-more-bbb',
  ]
  const binding = { apiKeyId: randomUUID(), origin }
  const now = new Date()

  it('signs with the first secret and verifies with both', async () => {
    const before = await sessionTokens([old], 3600)
    const during = await sessionTokens([fresh, old], 3600)
    const after = await sessionTokens([fresh], 3600)
    const made = await before.sign(binding, now)
    const later = await during.sign(binding, now)
    await expect(during.verify(made.token, binding, now)).resolves.toBeTruthy()
    await expect(during.verify(later.token, binding, now)).resolves.toBeTruthy()
    await expect(after.verify(later.token, binding, now)).resolves.toBeTruthy()
    await expect(after.verify(made.token, binding, now)).rejects.toMatchObject({
      code: 'SESSION_INVALID',
    })
    // The order of the secrets does not matter for verification.
    const spread = await sessionTokens([old, fresh], 3600)
    await expect(spread.verify(later.token, binding, now)).resolves.toBeTruthy()
  })
})

describe('token with the longest origin', () => {
  it('accepts a token for the longest possible origin', async () => {
    const labels = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(62)).join('.')
    const binding = { apiKeyId: randomUUID(), origin: `https://${labels}.no:65535` }
    const tokens = await sessionTokens(['a-secret-of-32-bytes-or-more-ggg-hhh'], 3600)
    const { token } = await tokens.sign(binding, new Date())
    await expect(tokens.verify(token, binding, new Date())).resolves.toBeTruthy()
  })
})

describe('different session lifetimes', () => {
  it('accepts a session lifetime of another replica up to one hour', async () => {
    const secret = ['a-secret-of-32-bytes-or-more-eee-fff']
    const [brief, usual, long] = await Promise.all(
      [2, 3600, 3601].map((ttlSeconds) => sessionTokens(secret, ttlSeconds)),
    )
    const binding = { apiKeyId: randomUUID(), origin }
    const now = new Date()
    const outcome = async (by = brief, at = usual) => {
      const token = (await by?.sign(binding, now))?.token ?? ''
      return at?.verify(token, binding, now).catch((error) => error.code)
    }
    expect(await outcome(usual, brief)).toMatch(/^[\da-f-]{36}$/)
    expect(await outcome(brief, usual)).toMatch(/^[\da-f-]{36}$/)
    expect(await outcome(long, long)).toBe('SESSION_INVALID')
  })
})

describe('token verified before', () => {
  it('checks key, origin, times and signature again when a token was verified before', async () => {
    const tokens = await sessionTokens(['a-secret-of-32-bytes-or-more-ccc-ddd'], 3600)
    const now = new Date()
    const binding = { apiKeyId: randomUUID(), origin }
    const { token, expiresAt } = await tokens.sign(binding, now)
    const outcome = (presented: string, at = now, by = binding) =>
      tokens.verify(presented, by, at).catch((error) => error.code)
    const session = await outcome(token)
    expect(await outcome(token)).toBe(session)
    expect(await outcome(token, now, { ...binding, apiKeyId: randomUUID() })).toBe(
      'SESSION_INVALID',
    )
    expect(await outcome(token, now, { ...binding, origin: 'https://other.example' })).toBe(
      'SESSION_INVALID',
    )
    expect(await outcome(`${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`)).toBe(
      'SESSION_INVALID',
    )
    expect(await outcome(token, new Date(expiresAt.getTime() - 1))).toBe(session)
    expect(await outcome(token, expiresAt)).toBe('SESSION_EXPIRED')
    // When the clock was set back, the issue time of the token is in the future.
    expect(await outcome(token, new Date(now.getTime() - 3_600_000))).toBe('SESSION_INVALID')
  })
})
