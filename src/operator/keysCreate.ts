import { InvalidArgumentError } from '@commander-js/extra-typings'
import { scopes as allScopes } from '../domain/access.ts'
import { limitNames } from '../domain/limits.ts'
import { dateTime } from '../input/dateTime.ts'
import { splitList } from '../input/splitList.ts'
import { createApiKey } from '../services/createApiKey.ts'
import { command } from './command.ts'
import type { Context } from './context.ts'
import { collectLimit } from './options.ts'
import { showOnce } from './showKey.ts'

export const keysCreate = ({ now, withDatabase, answer }: Context) =>
  command('create', 'Create an API key. Its secret is shown only once.', [
    "rental keys create --tenant fjord-cars --name 'My site' --scopes all --origins https://www.example.com",
    'rental keys create --tenant fjord-cars --name Partner --scopes availability:read,rates:read --limit reads=600 --expires 2030-01-01T00:00:00Z',
  ])
    .requiredOption('--tenant <slug>', 'slug of the tenant')
    .requiredOption('--name <name>', 'name shown in lists')
    .requiredOption(
      '--scopes <list>',
      `all, or a comma-separated list of ${allScopes.join(', ')}`,
      splitList,
    )
    .option(
      '--origins <list>',
      'websites that may use it, comma-separated; none for servers only',
      splitList,
    )
    .option('--expires <time>', 'when it expires, such as 2030-01-01T00:00:00Z', readDateTime)
    .option(
      '--limit <name=count>',
      `override a limit, such as reads=600; repeatable; one of ${limitNames.join(', ')}`,
      collectLimit,
    )
    .action(async ({ tenant, name, scopes, origins = [], limit: limits = {}, expires = null }) => {
      const request = { tenant, name, scopes, origins, limits, expiresAt: expires }
      const created = await withDatabase((database) => createApiKey(database, request, now))
      answer({ json: created, text: showOnce(created) })
    })

function readDateTime(text: string): Date {
  const result = dateTime.safeParse(text)
  if (result.success) return result.data
  throw new InvalidArgumentError(`It ${result.error.issues[0]?.message}.`)
}
