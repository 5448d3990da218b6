import { revokeApiKey } from '../services/apiKeys.ts'
import type { Command } from './command.ts'
import { checkId } from './ids.ts'

export const keysRevokeCommand: Command = {
  name: 'keys revoke',
  summary: 'End an API key with all its secrets now.',
  args: ['ID'],
  options: [],
  examples: ['rental keys revoke 4f1c2a9e-6b0d-4c57-9a51-7d1f0c7f5a11'],
  async run({ args: [given], withDatabase }) {
    const id = checkId('an API key', given)
    const key = await withDatabase((database) => revokeApiKey(database, id))
    const text = `Revoked ${key.name}; refused everywhere within 2 s, after lost connections 5 s.\n`
    return { json: key, text }
  },
}
