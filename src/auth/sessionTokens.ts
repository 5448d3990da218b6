import { hash, randomUUID, subtle, type webcrypto } from 'node:crypto'
import { errors, type JWTHeaderParameters, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { sessionSecondsMax } from '../domain/access.ts'
import { ApiError } from '../domain/errors.ts'

const algorithm = 'HS256'
const tokenType = 'rental-session+jwt'
const iss = 'rental-booking-api'
const aud = 'rental-public-api'
/** Real tokens have about 450 bytes; nothing longer is worth a signature check. */
const tokenLengthMax = 2_048
/** How far a replica's clock may run ahead of another's. */
const clockSkewMaxSeconds = 30
/** What every good token says alike. */
const expected = { algorithms: [algorithm], typ: tokenType, issuer: iss, audience: aud }
/** Good tokens whose claims are kept: about 10 MB. */
const rememberedMax = 20_000

/**
 * Three parts of base64url, the signature of 32 bytes spelled in the one canonical way: decoders
 * overlook the unused bits of its last character, and no second spelling of a token shall pass.
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
 * Signs and verifies session tokens (decision 28). The first secret signs, all of them verify, so a
 * new one can be put in front without logging anybody out. Each is imported once.
 */
export async function sessionTokens(secrets: readonly string[], ttlSeconds: number) {
  const keys = new Map<string, Key>()
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  for (const secret of secrets) {
    const bytes = Buffer.from(secret)
    // The secret can't be read out of it again.
    keys.set(keyId(secret), await subtle.importKey('raw', bytes, hmac, false, ['sign', 'verify']))
  }
  // A signature stays good; what it says is judged at each use (decision 203).
  const remembered = new LRUCache<string, z.infer<typeof claimsSchema>>({ max: rememberedMax })
  const [signing] = keys
  if (signing === undefined) throw new Error('Bug: session tokens need a secret')
  const [signingKeyId, signingKey] = signing

  return {
    /** A token for one key and origin, valid from `now` on (decision 28). */
    async sign({ apiKeyId, origin }: SessionBinding, now: Date) {
      const iat = Math.floor(now.getTime() / 1000)
      const exp = iat + ttlSeconds
      const claims = { iss, aud, sub: apiKeyId, origin, jti: randomUUID(), iat, exp }
      const header = { alg: algorithm, typ: tokenType, kid: signingKeyId }
      const token = await new SignJWT(claims).setProtectedHeader(header).sign(signingKey)
      return { token, expiresAt: new Date(exp * 1000) }
    },

    /**
     * The session's id.
     * @throws ApiError SESSION_EXPIRED for a token that was good for this binding, else
     *   SESSION_INVALID
     */
    async verify(token: string, binding: SessionBinding, now: Date): Promise<string> {
      if (token.length > tokenLengthMax || !canonicalToken.test(token))
        throw new ApiError('SESSION_INVALID')
      const tokenHash = hash('sha256', token, 'base64url')
      const claims = remembered.get(tokenHash) ?? (await genuineClaims(token, keys, now))
      const { sub, origin, jti, iat, exp } = claims
      if (sub !== binding.apiKeyId || origin !== binding.origin)
        throw new ApiError('SESSION_INVALID')
      // Not by this replica's own setting: while that is being changed, others have another one.
      const nowSeconds = now.getTime() / 1000
      if (exp - iat > sessionSecondsMax || iat > nowSeconds + clockSkewMaxSeconds)
        throw new ApiError('SESSION_INVALID')
      if (exp <= Math.floor(nowSeconds)) throw new ApiError('SESSION_EXPIRED')
      remembered.set(tokenHash, claims)
      return jti
    },
  }
}

/** What a token with a good signature says, expired or not; all others are invalid. */
async function genuineClaims(token: string, keys: ReadonlyMap<string, Key>, now: Date) {
  try {
    const keyOf = ({ kid = '' }: JWTHeaderParameters) =>
      keys.get(kid) ?? Promise.reject(new Error('unknown kid'))
    const { payload } = await jwtVerify(token, keyOf, { ...expected, currentDate: now })
    return claimsSchema.parse(payload)
  } catch (error) {
    // jose checks the signature before the claims, so a forged token never gets as far as this.
    const claims = error instanceof errors.JWTExpired && claimsSchema.safeParse(error.payload).data
    if (!claims) throw new ApiError('SESSION_INVALID')
    return claims
  }
}

/** Tells secrets apart in the token's header without saying anything about them. */
function keyId(secret: string): string {
  return hash('sha256', `kid:${secret}`, 'base64url').slice(0, 8)
}
