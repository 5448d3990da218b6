import { z } from 'zod'
import { scopes } from '../../src/domain/accountRules.ts'
import { limitNames } from '../../src/domain/limits.ts'
import { count, id, instant, listOf, text } from './types.ts'

const settings = {
  scopes: z.array(z.enum(scopes)),
  origins: z.array(text),
  browserOnly: z.boolean(),
  limits: z.partialRecord(z.enum(limitNames), count),
  expiresAt: instant.nullable(),
}

const secret = { prefix: text, last4: text }
const secrets = listOf({
  ...secret,
  endsAt: instant.nullable(),
  lastUsedAt: instant.nullable(),
  createdAt: instant,
})

const key = {
  tenantId: id,
  id,
  name: text,
  ...settings,
  revokedAt: instant.nullable(),
  createdAt: instant,
}

export const keyOutput = z.strictObject(key)
export const keysListOutput = listOf({ ...key, secrets })
export const keysShowOutput = z.strictObject({
  ...key,
  secrets,
  tenant: z.strictObject({ slug: text, timezone: text }),
})

const created = { id, key: text, ...secret, ...settings }
export const keysCreateOutput = z.strictObject(created)
export const keysRotateOutput = z.strictObject({ ...created, replaced: secrets })
