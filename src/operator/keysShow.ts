import { localDateTime } from '../domain/period.ts'
import { type ApiKeyPage, showApiKey } from '../services/apiKeys.ts'
import { resolveKey } from '../services/resolveIds.ts'
import { shown } from './cell.ts'
import { command, exampleId } from './command.ts'
import type { Context } from './context.ts'
import { stateOf } from './keysList.ts'
import { count, keyIdHelp } from './options.ts'
import { settingsLines } from './showKey.ts'
import { table } from './table.ts'

export const keysShow = ({ io, now, withDatabase, answer }: Context) =>
  command('show', 'Show one API key: what it may do, its secrets, and when they were used.', [
    `rental keys show ${exampleId}`,
  ])
    .argument('<id>', keyIdHelp)
    .action(async (given) => {
      const key = await withDatabase(async (database) =>
        showApiKey(database, await resolveKey(database, given), now),
      )
      answer({ json: key, text: page(key, now, io.columns) })
    })

function page(key: ApiKeyPage, now: Date, width: number | undefined): string {
  const { tenant, today } = key
  const minute = (at: Date | null) =>
    at === null ? undefined : localDateTime(at, tenant.timezone).slice(0, 16)
  const secrets = key.secrets.map((secret) => ({
    SECRET: `${secret.prefix}…${secret.last4}`,
    STATE: stateOf(key, secret, now),
    CREATED: minute(secret.createdAt) ?? '',
    'LAST USED': minute(secret.lastUsedAt) ?? 'not seen yet',
  }))
  return (
    `name     ${shown(key.name)}\nid       ${key.id}\ntenant   ${tenant.slug}\n${settingsLines(key)}` +
    `expires  ${minute(key.expiresAt) ?? 'never'}\n` +
    `today    ${count(today.booked, 'booking')}, ${today.refused} refused\n` +
    `zone     ${tenant.timezone}\n\n` +
    table(secrets, { whole: ['SECRET', 'STATE'] }, width)
  )
}
