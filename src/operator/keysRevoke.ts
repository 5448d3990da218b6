import { revokeApiKey } from '../services/apiKeys.ts'
import { resolveKey } from '../services/resolveIds.ts'
import { command, exampleId } from './command.ts'
import type { Context } from './context.ts'
import { keyIdHelp } from './options.ts'

export const keysRevoke = ({ withDatabase, answer }: Context) =>
  command('revoke', 'Revoke an API key and all its secrets.', [`rental keys revoke ${exampleId}`])
    .argument('<id>', keyIdHelp)
    .action(async (given) => {
      const key = await withDatabase(async (database) =>
        revokeApiKey(database, await resolveKey(database, given)),
      )
      const text = `Revoked ${key.name}. Servers refuse it within 2 seconds, or 5 if they miss the notification.\n`
      answer({ json: key, text })
    })
