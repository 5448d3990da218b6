import type { StoredApiKey } from '../db/apiKeys.ts'
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

function keyTable(keys: readonly StoredApiKey[], now: Date, width: number | undefined): string {
  const rows = keys.map((key) => ({
    id: key.id,
    name: key.name,
    key: `${key.prefix}…${key.last4}`,
    state: stateOf(key, now),
    scopes: key.scopes.join(','),
    origins: key.origins.join(',') || '-',
  }))
  const columns = [
    { field: 'id', title: 'ID', whole: true },
    { field: 'name', title: 'NAME' },
    { field: 'key', title: 'KEY', whole: true },
    { field: 'state', title: 'STATE' },
    { field: 'scopes', title: 'SCOPES' },
    { field: 'origins', title: 'ORIGINS' },
  ] as const
  return table(rows, columns, width)
}

function stateOf(key: StoredApiKey, now: Date): string {
  const refusal = keyRefusal(key, now)
  if (refusal === 'API_KEY_REVOKED') return 'revoked'
  if (refusal === 'API_KEY_EXPIRED') return 'expired'
  return key.revokedAt === null ? 'active' : `until ${key.revokedAt.toISOString()}`
}
