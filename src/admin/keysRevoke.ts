import { revokeApiKey } from '../services/apiKeys.ts'
import type { Command } from './command.ts'
import { checkId } from './ids.ts'

export const keysRevokeCommand: Command = {
  name: 'keys revoke',
  summary: 'End an API key now.',
  args: ['ID'],
  options: [],
  async run({ args: [given], withDatabase }) {
    const id = checkId('an API key', given)
    const key = await withDatabase((database) => revokeApiKey(database, id))
    const text = `Revoked ${key.prefix}…${key.last4} (${key.name}); refused everywhere within 5 s.\n`
    return { json: key, text }
  },
}
