import { splitList } from '../input/splitList.ts'
import { changeApiKey } from '../services/apiKeys.ts'
import { resolveKey } from '../services/resolveIds.ts'
import { shown } from './cell.ts'
import { command, exampleId } from './command.ts'
import type { Context } from './context.ts'
import { collect, collectLimit, keyIdHelp } from './options.ts'
import { settingsLines } from './showKey.ts'

export const keysSet = ({ now, withDatabase, answer }: Context) =>
  command(
    'set',
    'Change the name, scopes, origins or limits of an API key. Its secrets stay valid.',
    [
      `rental keys set ${exampleId} --add-origin https://shop.example.com`,
      `rental keys set ${exampleId} --name 'Old site' --limit reads=default`,
    ],
  )
    .argument('<id>', keyIdHelp)
    .option('--name <name>', 'name shown in lists')
    .option('--scopes <list>', 'replace its scopes', splitList)
    .option('--origins <list>', 'replace its origins; "" removes all', splitList)
    .option('--add-origin <origin>', 'add an origin; repeatable', collect)
    .option('--remove-origin <origin>', 'remove an origin; repeatable', collect)
    .option(
      '--limit <name=count>',
      'override a limit, such as reads=600, or reset it with reads=default; repeatable',
      collectLimit,
    )
    .action(async (given, options, self) => {
      if (Object.keys(options).length === 0) self.error('error: give at least one option')
      const { addOrigin = [], removeOrigin = [], limit = {}, ...settings } = options
      const origins = { addedOrigins: addOrigin, removedOrigins: removeOrigin }
      const change = { ...settings, ...origins, limits: limit }
      const key = await withDatabase(async (database) =>
        changeApiKey(database, await resolveKey(database, given), change, now),
      )
      answer({ json: key, text: `name     ${shown(key.name)}\n${settingsLines(key)}` })
    })
