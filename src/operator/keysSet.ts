import { changeApiKey } from '../services/apiKeys.ts'
import { command, exampleId } from './command.ts'
import type { Context } from './context.ts'
import { checkId, collect, collectLimit, splitList } from './options.ts'
import { settingsLines } from './showKey.ts'

export const keysSet = ({ now, withDatabase, answer }: Context) =>
  command(
    'set',
    'Change the name, scopes, origins or limits of an API key; its secrets stay good.',
    [
      `rental keys set ${exampleId} --add-origin https://shop.example.com`,
      `rental keys set ${exampleId} --name 'Old site' --limit reads=default`,
    ],
  )
    .argument('<id>', "the key's")
    .option('--name <name>', 'what the key is called in lists')
    .option('--scopes <list>', 'all that it may do', splitList)
    .option('--origins <list>', 'all websites that may use it; "" for none', splitList)
    .option('--add-origin <origin>', 'one website more that may use it; repeatable', collect)
    .option('--remove-origin <origin>', 'a website that no longer may; repeatable', collect)
    .option(
      '--limit <name=count>',
      'a limit of its own, such as reads=600; reads=default takes it away; repeatable',
      collectLimit,
    )
    .action(async (given, options, self) => {
      if (Object.keys(options).length === 0) self.error('error: say what to set')
      const { addOrigin = [], removeOrigin = [], limit = {}, ...settings } = options
      const id = checkId('an API key', given)
      const origins = { addedOrigins: addOrigin, removedOrigins: removeOrigin }
      const change = { ...settings, ...origins, limits: limit }
      const key = await withDatabase((database) => changeApiKey(database, id, change, now))
      answer({ json: key, text: `name     ${key.name}\n${settingsLines(key)}` })
    })
