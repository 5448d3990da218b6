import { revokeApiKey } from '../services/apiKeys.ts'
import { command, exampleId } from './command.ts'
import type { Context } from './context.ts'
import { checkId } from './options.ts'

export const keysRevoke = ({ withDatabase, answer }: Context) =>
  command('revoke', 'End an API key with all its secrets now.', [`rental keys revoke ${exampleId}`])
    .argument('<id>', "the key's")
    .action(async (given) => {
      const id = checkId('an API key', given)
      const key = await withDatabase((database) => revokeApiKey(database, id))
      const text = `Revoked ${key.name}; refused everywhere within 2 s, after lost connections 5 s.\n`
      answer({ json: key, text })
    })
