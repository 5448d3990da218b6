import { scopes } from '../domain/access.ts'
import { limitNames } from '../domain/limits.ts'
import { changeApiKey } from '../services/apiKeys.ts'
import { type Command, UsageError } from './command.ts'
import { checkId } from './ids.ts'
import { readLimits } from './keyOptions.ts'
import { settingsLines } from './showKey.ts'

export const keysSetCommand: Command = {
  name: 'keys set',
  summary: 'Change the name, scopes, origins or limits of an API key; its secrets stay good.',
  args: ['ID'],
  options: [
    { name: 'name', value: 'NAME', summary: 'what the key is called in lists' },
    { name: 'scopes', value: 'all|SCOPE,…', suggestions: scopes, summary: 'all that it may do' },
    { name: 'origins', value: 'ORIGIN,…', summary: 'all websites that may use it; "" for none' },
    {
      name: 'add-origin',
      value: 'ORIGIN',
      multiple: true,
      summary: 'one website more that may use it',
    },
    {
      name: 'remove-origin',
      value: 'ORIGIN',
      multiple: true,
      summary: 'a website that may not use it any more',
    },
    {
      name: 'limit',
      value: 'NAME=COUNT',
      suggestions: limitNames.map((name) => `${name}=`),
      multiple: true,
      summary: 'a limit of its own, such as reads=600; reads=default takes it away',
    },
  ],
  examples: [
    'rental keys set 4f1c2a9e-6b0d-4c57-9a51-7d1f0c7f5a11 --add-origin https://shop.example.com',
    "rental keys set 4f1c2a9e-6b0d-4c57-9a51-7d1f0c7f5a11 --name 'Old site' --limit reads=default",
  ],
  async run({ args: [given], options, now, withDatabase }) {
    const list = (name: string) =>
      options.text(name) === undefined ? undefined : options.list(name)
    const change = {
      name: options.text('name'),
      scopes: list('scopes'),
      origins: list('origins'),
      addedOrigins: options.all('add-origin'),
      removedOrigins: options.all('remove-origin'),
      limits: readLimits(options),
    }
    const lists = [change.addedOrigins, change.removedOrigins, Object.keys(change.limits)]
    const settings = [change.name, change.scopes, change.origins]
    if (lists.every(({ length }) => length === 0) && settings.every((set) => set === undefined)) {
      throw new UsageError('Say what to set.')
    }
    const id = checkId('an API key', given)
    const key = await withDatabase((database) => changeApiKey(database, id, change, now))
    return { json: key, text: `name     ${key.name}\n${settingsLines(key)}` }
  },
}
