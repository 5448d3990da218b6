import { hash, randomUUID, subtle, type webcrypto } from 'node:crypto'
import { errors, type JWTHeaderParameters, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { sessionSecondsMax } from '../domain/accountRules.ts'
import { ApiError } from '../domain/errors.ts'

const algorithm = 'HS256'
const tokenType = 'rental-session+jwt'
const iss = 'rental-booking-api'
const aud = 'rental-public-api'
/** Real tokens have about 450 bytes; longer ones are rejected without checking the signature. */
const tokenLengthMax = 2_048
/** The most by which another replica's clock may be ahead. */
const clockSkewMaxSeconds = 30
const expected = { algorithms: [algorithm], typ: tokenType, issuer: iss, audience: aud }
/** Number of verified tokens whose claims are cached, about 10 MB. */
const verifiedMax = 20_000

/**
 * Matches a JWT whose signature is canonical base64url. Decoders ignore the unused bits of its last
 * character, so one signature has several spellings.
 */
const canonicalToken = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/

type Key = webcrypto.CryptoKey

const claimsSchema = z.object({
  sub: z.string(),
  origin: z.string(),
  jti: z.uuid(),
  iat: z.int(),
  exp: z.int(),
})

interface SessionBinding {
  readonly apiKeyId: string
  readonly origin: string
}

export type SessionTokens = Awaited<ReturnType<typeof sessionTokens>>

/**
 * Returns functions that sign and verify session tokens. The first secret signs and all verify, so
 * a secret can be rotated without ending sessions.
 */
export async function sessionTokens(secrets: readonly string[], ttlSeconds: number) {
  const keys = new Map<string, Key>()
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  for (const secret of secrets) {
    const bytes = Buffer.from(secret)
    // `false`: the secret cannot be exported.
    keys.set(keyId(secret), await subtle.importKey('raw', bytes, hmac, false, ['sign', 'verify']))
  }
  // Caches signature checks only; claims are checked at each use.
  const verified = new LRUCache<string, z.infer<typeof claimsSchema>>({ max: verifiedMax })
  const [signing] = keys
  if (signing === undefined) throw new Error('Bug: session tokens need a secret')
  const [signingKeyId, signingKey] = signing

  return {
    /** Signs a token for one key and origin, valid from `now`. */
    async sign({ apiKeyId, origin }: SessionBinding, now: Date) {
      const iat = Math.floor(now.getTime() / 1000)
      const exp = iat + ttlSeconds
      const claims = { iss, aud, sub: apiKeyId, origin, jti: randomUUID(), iat, exp }
      const header = { alg: algorithm, typ: tokenType, kid: signingKeyId }
      const token = await new SignJWT(claims).setProtectedHeader(header).sign(signingKey)
      return { token, expiresAt: new Date(exp * 1000) }
    },

    /**
     * Returns the session id of a token.
     * @throws ApiError SESSION_EXPIRED for an expired token of this binding, otherwise
     * SESSION_INVALID
     */
    async verify(token: string, binding: SessionBinding, now: Date): Promise<string> {
      if (token.length > tokenLengthMax || !canonicalToken.test(token))
        throw new ApiError('SESSION_INVALID')
      const tokenHash = hash('sha256', token, 'base64url')
      const claims = verified.get(tokenHash) ?? (await signedClaims(token, keys, now))
      const { sub, origin, jti, iat, exp } = claims
      if (sub !== binding.apiKeyId || origin !== binding.origin)
        throw new ApiError('SESSION_INVALID')
      // Do not compare with `ttlSeconds`: during a rollout other replicas may use another value.
      const nowSeconds = now.getTime() / 1000
      if (exp - iat > sessionSecondsMax || iat > nowSeconds + clockSkewMaxSeconds)
        throw new ApiError('SESSION_INVALID')
      if (exp <= Math.floor(nowSeconds)) throw new ApiError('SESSION_EXPIRED')
      verified.set(tokenHash, claims)
      return jti
    },
  }
}

/**
 * Returns the claims of a token with a valid signature, expired or not.
 * @throws ApiError SESSION_INVALID
 */
async function signedClaims(token: string, keys: ReadonlyMap<string, Key>, now: Date) {
  try {
    const keyOf = ({ kid = '' }: JWTHeaderParameters) =>
      keys.get(kid) ?? Promise.reject(new Error('unknown kid'))
    const { payload } = await jwtVerify(token, keyOf, { ...expected, currentDate: now })
    return claimsSchema.parse(payload)
  } catch (error) {
    // jose checks the signature before `exp`, so JWTExpired implies a valid signature.
    const claims = error instanceof errors.JWTExpired && claimsSchema.safeParse(error.payload).data
    if (!claims) throw new ApiError('SESSION_INVALID')
    return claims
  }
}

/** Returns an id for the token header that identifies a secret without revealing it. */
function keyId(secret: string): string {
  return hash('sha256', `kid:${secret}`, 'base64url').slice(0, 8)
}
