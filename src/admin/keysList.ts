import type { KeyRow, StoredApiKey, StoredSecret } from '../db/apiKeys.ts'
import { keyRefusal } from '../domain/access.ts'
import { listApiKeys } from '../services/apiKeys.ts'
import type { Command } from './command.ts'
import { table } from './table.ts'

export const keysListCommand: Command = {
  name: 'keys list',
  summary: "A tenant's API keys, never the keys themselves.",
  args: [],
  options: [{ name: 'tenant', value: 'SLUG', required: true, summary: 'whose keys' }],
  examples: ['rental keys list --tenant fjord-cars'],
  async run({ options, io, now, withDatabase }) {
    const slug = options.required('tenant')
    const keys = await withDatabase((database) => listApiKeys(database, slug))
    const text = keys.length === 0 ? 'There is no key yet.\n' : keyTable(keys, now, io.columns)
    return { json: keys, text }
  },
}

/** A line a secret: what a key is and may do stands on the first of it. */
function keyTable(keys: readonly StoredApiKey[], now: Date, width: number | undefined): string {
  const rows = keys.flatMap((key) =>
    key.secrets.map((secret, index) => ({
      id: key.id,
      name: index === 0 ? key.name : '',
      secret: `${secret.prefix}…${secret.last4}`,
      state: stateOf(key, secret, now),
      scopes: index === 0 ? key.scopes.join(',') : '',
      origins: index === 0 ? key.origins.join(',') || '-' : '',
    })),
  )
  const columns = [
    { field: 'id', title: 'ID', whole: true },
    { field: 'name', title: 'NAME' },
    { field: 'secret', title: 'SECRET', whole: true },
    { field: 'state', title: 'STATE' },
    { field: 'scopes', title: 'SCOPES' },
    { field: 'origins', title: 'ORIGINS' },
  ] as const
  return table(rows, columns, width)
}

function stateOf(key: KeyRow, { endsAt }: StoredSecret, now: Date): string {
  const refusal = keyRefusal(key, now)
  if (refusal === 'API_KEY_EXPIRED') return 'expired'
  if (refusal !== undefined) return 'revoked'
  if (endsAt !== null && endsAt <= now) return 'replaced'
  // Release 0.1 lets a whole key end when it is rotated.
  const end = endsAt ?? key.revokedAt
  return end === null ? 'active' : `until ${end.toISOString()}`
}
