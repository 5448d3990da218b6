import { revokeApiKey } from '../services/apiKeys.ts'
import { command, exampleId } from './command.ts'
import type { Context } from './context.ts'
import { checkId } from './options.ts'

export const keysRevoke = ({ withDatabase, answer }: Context) =>
  command('revoke', 'Revoke an API key and all its secrets.', [`rental keys revoke ${exampleId}`])
    .argument('<id>', 'ID of the key')
    .action(async (given) => {
      const id = checkId('API key', given)
      const key = await withDatabase((database) => revokeApiKey(database, id))
      const text = `Revoked ${key.name}. Servers refuse it within 2 seconds, or 5 if they miss the notification.\n`
      answer({ json: key, text })
    })
