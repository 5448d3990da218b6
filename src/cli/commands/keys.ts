import { Option } from '@commander-js/extra-typings'
import { onOff } from '../../config/environment.ts'
import { scopes } from '../../domain/accountRules.ts'
import { limitNames } from '../../domain/limits.ts'
import { daySeconds } from '../../domain/units.ts'
import { dateTime } from '../../input/dateTime.ts'
import { splitList } from '../../input/fields.ts'
import {
  changeApiKey,
  createApiKey,
  revokeApiKey,
  rotateApiKey,
  type ShownApiKey,
} from '../../services/manageKeys.ts'
import { type Context, command, exampleId, tenantCommand } from '../command.ts'
import { collect, collectLimit, idHelp, optionParser, parseDuration } from '../options.ts'
import { record } from '../terminal/table.ts'
import { settingsOf } from './keysShow.ts'

const browserOnly = () =>
  new Option('--browser-only [switch]', 'on (or no value): reject each POST without an Origin')
    .preset('on')
    .argParser(optionParser(onOff, 'Use on or off.'))

export const keysCreate = ({ now, withTenant, finish }: Context) =>
  tenantCommand('create', 'Create an API key. Its secret is shown only once.', [
    "rental keys create --tenant fjord-cars --name 'My site' --scopes all \\\n" +
      '    --origins https://www.example.com --browser-only',
    'rental keys create --tenant fjord-cars --name Partner --scopes rates:read \\\n' +
      '    --limit reads=600 --expires 2030-01-01T00:00:00Z',
  ])
    .requiredOption('--name <name>', 'name shown in lists')
    .requiredOption(
      '--scopes <list>',
      `all, or a comma-separated list of ${scopes.join(', ')}`,
      splitList,
    )
    .option(
      '--origins <list>',
      'origins of the websites that may use the key, comma-separated; leave out for servers only',
      splitList,
    )
    .addOption(browserOnly())
    .option(
      '--expires <time>',
      'when it expires, such as 2030-01-01T00:00:00Z',
      optionParser(dateTime),
    )
    .option(
      '--limit <name=count>',
      `override a limit, such as reads=600; repeatable; one of ${limitNames.join(', ')}`,
      collectLimit,
    )
    .action(async ({ tenant: given, limit: limits, expires: expiresAt, ...settings }) => {
      const created = await withTenant(given, (database, tenant) =>
        createApiKey(database, { ...settings, tenant, limits, expiresAt }, now),
      )
      const mayNeedReads = created.origins.length > 0 && created.limits['reads'] === undefined
      const text = formatNewSecret(created) + (mayNeedReads ? readsHint(created) : '')
      finish({ json: created, text })
    })

const readsHint = ({ id }: ShownApiKey) =>
  "A visitor's first search takes up to 25 reads, and all visitors share the key's limit. For a busy website:\n" +
  `rental keys set ${id} --limit reads=3000\n`

function formatNewSecret(created: ShownApiKey): string {
  const expires = created.expiresAt?.toISOString() ?? 'never'
  return (
    `${created.key}\n\nSave it now. It is stored as a hash and can't be shown again.\n` +
    record({ id: created.id, ...settingsOf(created), expires })
  )
}

export const keysRevoke = ({ withDatabase, finish }: Context) =>
  command('revoke', 'Revoke an API key and all its secrets.', [`rental keys revoke ${exampleId}`])
    .argument('<id>', idHelp('key'))
    .action(async (given) => {
      const { wasRevoked, ...key } = await withDatabase(revokeApiKey, given)
      const text = wasRevoked
        ? `"${key.name}" is already revoked.\n`
        : `Revoked "${key.name}". Servers reject it within 2 seconds, or within 5 if they miss the notification.\n`
      finish({ json: key, text })
    })

const overlap = new Option(
  '--overlap <time>',
  'how long the old secret still works, such as 0s, 30m, 12h or 7d',
)
  .default(7 * daySeconds, '7d')
  .argParser(parseDuration)

export const keysRotate = ({ now, withDatabase, finish }: Context) =>
  command('rotate', 'Replace the secret of an API key. The new secret is shown only once.', [
    `rental keys rotate ${exampleId}`,
    `rental keys rotate ${exampleId} --overlap 12h`,
    `rental keys rotate ${exampleId} --overlap 0s`,
  ])
    .argument('<id>', idHelp('key'))
    .addOption(overlap)
    .action(async (given, { overlap: overlapSeconds }) => {
      const rotated = await withDatabase(rotateApiKey, given, overlapSeconds, now)
      const ends = rotated.replaced.map(
        ({ prefix, last4, endsAt }) =>
          `The old secret ${prefix}…${last4} ` +
          (overlapSeconds === 0 ? 'no longer works.\n' : `works until ${endsAt?.toISOString()}.\n`),
      )
      finish({ json: rotated, text: formatNewSecret(rotated) + ends.join('') })
    })

export const keysSet = ({ now, withDatabase, finish }: Context) =>
  command('set', 'Change the settings of an API key. Its secrets stay valid.', [
    `rental keys set ${exampleId} --add-origin https://shop.example.com`,
    `rental keys set ${exampleId} --browser-only on`,
    `rental keys set ${exampleId} --name 'Old site' --limit reads=default`,
  ])
    .argument('<id>', idHelp('key'))
    .option('--name <name>', 'name shown in lists')
    .option('--scopes <list>', 'replace its scopes', splitList)
    .option('--origins <list>', 'replace its origins; "" removes all', splitList)
    .option('--add-origin <origin>', 'add an origin; repeatable', collect)
    .option('--remove-origin <origin>', 'remove an origin; repeatable', collect)
    .addOption(browserOnly())
    .option(
      '--limit <name=count>',
      'override a limit, such as reads=600, or reset it with reads=default; repeatable',
      collectLimit,
    )
    .action(async (given, options, self) => {
      if (Object.keys(options).length === 0) self.error('error: give at least one option')
      const { addOrigin, removeOrigin, limit: limits, ...own } = options
      const change = { ...own, addedOrigins: addOrigin, removedOrigins: removeOrigin, limits }
      const key = await withDatabase(changeApiKey, given, change, now)
      finish({ json: key, text: record({ name: key.name, ...settingsOf(key) }) })
    })
