import { createHash, createSecretKey, type KeyObject, randomUUID } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { DomainError } from '../domain/errors.ts'

const algorithm = 'HS256'
const tokenType = 'rental-session+jwt'
const issuer = 'rental-booking-api'
const audience = 'rental-public-api'
/** Real tokens have about 450 bytes; nothing longer is worth a signature check. */
const tokenLengthMax = 2_048
/** How far a replica's clock may run ahead of another's. */
const clockSkewMaxSeconds = 30

/**
 * Three parts of base64url, the signature of 32 bytes spelled in the one canonical way: decoders
 * overlook the unused bits of its last character, and no second spelling of a token shall pass.
 */
const canonicalToken = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/

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

export interface SessionTokens {
  /** A token for one key and origin, valid from `now` on. */
  sign(binding: SessionBinding, now: Date): Promise<{ token: string; expiresAt: Date }>
  /**
   * The session's id.
   * @throws DomainError SESSION_EXPIRED for a token that was good for this binding, else
   *   SESSION_INVALID
   */
  verify(token: string, binding: SessionBinding, now: Date): Promise<string>
}

/**
 * Signs and verifies session tokens (decision 28). The first secret signs, all of them verify, so a
 * new one can be put in front without logging anybody out. Each is imported once.
 */
export function sessionTokens(secrets: readonly string[], ttlSeconds: number): SessionTokens {
  const keys = new Map(secrets.map((secret) => [keyId(secret), importSecret(secret)]))
  const [signing] = keys
  if (signing === undefined) throw new Error('Bug: session tokens need a secret')
  const [signingKeyId, signingKey] = signing

  return {
    async sign({ apiKeyId, origin }, now) {
      const issuedAtSeconds = Math.floor(now.getTime() / 1000)
      const expiresAtSeconds = issuedAtSeconds + ttlSeconds
      const token = await new SignJWT({ origin })
        .setProtectedHeader({ alg: algorithm, typ: tokenType, kid: signingKeyId })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(apiKeyId)
        .setJti(randomUUID())
        .setIssuedAt(issuedAtSeconds)
        .setExpirationTime(expiresAtSeconds)
        .sign(signingKey)
      return { token, expiresAt: new Date(expiresAtSeconds * 1000) }
    },

    async verify(token, binding, now) {
      if (token.length > tokenLengthMax || !canonicalToken.test(token)) throw invalidSession()
      const { claims, expired } = await genuineClaims(token, keys, now)
      const { sub, origin, jti, iat, exp } = claims
      if (sub !== binding.apiKeyId || origin !== binding.origin) throw invalidSession()
      // A token of ours lives exactly as long as we let it, and was not issued in the future.
      if (exp - iat > ttlSeconds || iat > now.getTime() / 1000 + clockSkewMaxSeconds) {
        throw invalidSession()
      }
      if (expired) {
        throw new DomainError('SESSION_EXPIRED', 'The session has expired. Create a new one.')
      }
      return jti
    },
  }
}

/** What a token with a good signature says, and whether its time is over; all others are invalid. */
async function genuineClaims(token: string, keys: ReadonlyMap<string, KeyObject>, now: Date) {
  try {
    const { payload } = await jwtVerify(token, ({ kid }) => knownKey(keys, kid), {
      algorithms: [algorithm],
      typ: tokenType,
      issuer,
      audience,
      requiredClaims: ['iat', 'exp', 'sub', 'jti', 'origin'],
      currentDate: now,
    })
    return { claims: claimsSchema.parse(payload), expired: false }
  } catch (error) {
    // jose checks the signature before the claims, so a forged token never gets as far as this.
    if (!(error instanceof errors.JWTExpired)) throw invalidSession()
    const claims = claimsSchema.safeParse(error.payload)
    if (!claims.success) throw invalidSession()
    return { claims: claims.data, expired: true }
  }
}

function knownKey(keys: ReadonlyMap<string, KeyObject>, kid: string | undefined): KeyObject {
  const key = kid === undefined ? undefined : keys.get(kid)
  if (key === undefined) throw invalidSession()
  return key
}

function invalidSession(): DomainError {
  return new DomainError(
    'SESSION_INVALID',
    'The session token is not valid for this key and origin. Create a new session.',
  )
}

function importSecret(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret))
}

/** Tells secrets apart in the token's header without saying anything about them. */
function keyId(secret: string): string {
  return createHash('sha256').update(`kid:${secret}`).digest('base64url').slice(0, 8)
}
