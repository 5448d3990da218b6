import { scopes } from '../domain/access.ts'
import { limitNames } from '../domain/limits.ts'
import { instant } from '../fleet/fields.ts'
import { createApiKey } from '../services/createApiKey.ts'
import { type Command, type CommandContext, UsageError } from './command.ts'
import { readLimits } from './keyOptions.ts'
import { showOnce } from './showKey.ts'

export const keysCreateCommand: Command = {
  name: 'keys create',
  summary: 'Make an API key; it is shown this once.',
  args: [],
  options: [
    { name: 'tenant', value: 'SLUG', required: true, summary: 'whose key it is' },
    { name: 'name', value: 'NAME', required: true, summary: 'what the key is called in lists' },
    {
      name: 'scopes',
      value: 'all|SCOPE,…',
      suggestions: scopes,
      required: true,
      summary: 'what it may do',
    },
    { name: 'origins', value: 'ORIGIN,…', summary: 'websites that may use it; none: servers only' },
    { name: 'expires', value: 'ISO', summary: 'its end, such as 2030-01-01T00:00:00Z' },
    {
      name: 'limit',
      value: 'NAME=COUNT',
      suggestions: limitNames.map((name) => `${name}=`),
      multiple: true,
      summary: 'a limit of its own, such as reads=600',
    },
  ],
  examples: [
    "rental keys create --tenant fjord-cars --name 'My site' --scopes all --origins https://www.example.com",
    'rental keys create --tenant fjord-cars --name Partner --scopes availability:read,rates:read --limit reads=600 --expires 2030-01-01T00:00:00Z',
  ],
  async run({ options, now, withDatabase }) {
    const request = {
      tenant: options.required('tenant'),
      name: options.required('name'),
      scopes: options.list('scopes'),
      origins: options.list('origins'),
      limits: readLimits(options),
      expiresAt: readExpiry(options),
    }
    const created = await withDatabase((database) => createApiKey(database, request, now))
    return { json: created, text: showOnce(created) }
  },
}

function readExpiry(options: CommandContext['options']): Date | null {
  const text = options.text('expires')
  if (text === undefined) return null
  const result = instant.safeParse(text)
  if (result.success) return result.data
  throw new UsageError(`--expires ${result.error.issues[0]?.message}`)
}
