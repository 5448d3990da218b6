import type { KeyRow, StoredApiKey, StoredSecret } from '../db/apiKeys.ts'
import { keyProblem } from '../domain/access.ts'
import { listApiKeys } from '../services/apiKeys.ts'
import { command } from './command.ts'
import type { Context } from './context.ts'
import { ownLimits } from './showKey.ts'
import { table } from './table.ts'

export const keysList = ({ io, now, withDatabase, answer }: Context) =>
  command('list', "List a tenant's API keys, without their secrets.", [
    'rental keys list --tenant fjord-cars',
  ])
    .requiredOption('--tenant <slug>', 'slug of the tenant')
    .action(async ({ tenant }) => {
      const keys = await withDatabase((database) => listApiKeys(database, tenant))
      const text = keys.length === 0 ? 'No keys yet.\n' : keyTable(keys, now, io.columns)
      answer({ json: keys, text })
    })

/** A line a secret: what a key is and may do stands on the first of it. */
function keyTable(keys: readonly StoredApiKey[], now: Date, width: number | undefined): string {
  const rows = keys.flatMap((key) =>
    key.secrets.map((secret, index) => ({
      ID: key.id,
      NAME: index === 0 ? key.name : '',
      SECRET: `${secret.prefix}…${secret.last4}`,
      STATE: stateOf(key, secret, now),
      SCOPES: index === 0 ? key.scopes.join(',') : '',
      ORIGINS: index === 0 ? key.origins.join(',') || '-' : '',
      LIMITS: index === 0 ? ownLimits(key.limits, ',') || '-' : '',
    })),
  )
  return table(rows, { whole: ['ID', 'SECRET'] }, width)
}

/** Whether a secret is good, and until when. */
export function stateOf(key: KeyRow, { endsAt }: StoredSecret, now: Date): string {
  const refusal = keyProblem(key, now)
  if (refusal === 'API_KEY_EXPIRED') return 'expired'
  if (refusal !== undefined) return 'revoked'
  if (endsAt !== null && endsAt <= now) return 'replaced'
  // Release 0.1 lets a whole key end when it is rotated.
  const end = endsAt ?? key.revokedAt ?? key.expiresAt
  return end === null ? 'active' : `until ${end.toISOString()}`
}
