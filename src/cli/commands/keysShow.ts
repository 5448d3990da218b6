import type { KeyRow, KeySettings } from '../../db/queries/keys/keyRows.ts'
import { keyProblem } from '../../domain/accountRules.ts'
import { localMinute } from '../../domain/pricing/period.ts'
import { listApiKeys, showApiKey } from '../../services/manageKeys.ts'
import { type Context, command, exampleId, tenantCommand } from '../command.ts'
import { idHelp } from '../options.ts'
import { record, table } from '../terminal/table.ts'

export const keysList = ({ io, now, withTenant, finish }: Context) =>
  tenantCommand('list', "List a tenant's API keys, without their secrets.", [
    'rental keys list --tenant fjord-cars',
  ]).action(async ({ tenant }) => {
    const keys = await withTenant(tenant, listApiKeys)
    // Each secret has a row; the first row of a key also has its settings.
    const rows = keys.flatMap((key) =>
      key.secrets.map((secret, index) => ({
        ID: key.id,
        NAME: index === 0 ? key.name : '',
        SECRET: `${secret.prefix}…${secret.last4}`,
        STATE: stateOf(key, secret, now),
        SCOPES: index === 0 ? key.scopes.join(', ') : '',
        ORIGINS: index === 0 ? describeOrigins(key, '-') : '',
        LIMITS: index === 0 ? ownLimits(key) || '-' : '',
      })),
    )
    const text = table(rows, { fixed: ['ID', 'SECRET', 'STATE'] }, io.columns) || 'No keys yet.\n'
    finish({ json: keys, text })
  })

function stateOf(
  key: KeyRow,
  { endsAt }: { readonly endsAt: Date | null },
  now: Date,
  write = (at: Date) => at.toISOString(),
): string {
  const problem = keyProblem(key, now)
  if (problem === 'API_KEY_EXPIRED') return 'expired'
  if (problem !== undefined) return 'revoked'
  if (endsAt !== null && endsAt <= now) return 'replaced'
  const end = endsAt ?? key.expiresAt
  return end === null ? 'active' : `until ${write(end)}`
}

export const keysShow = ({ io, now, withDatabase, finish }: Context) =>
  command('show', 'Show one API key: scopes, origins, limits and secrets, with their last use.', [
    `rental keys show ${exampleId}`,
  ])
    .argument('<id>', idHelp('key'))
    .action(async (given) => {
      const key = await withDatabase(showApiKey, given)
      const { tenant } = key
      const formatTime = (at: Date) => localMinute(at, tenant.timezone)
      const fields = record({
        name: key.name,
        id: key.id,
        tenant: tenant.slug,
        ...settingsOf(key),
        expires: key.expiresAt === null ? 'never' : formatTime(key.expiresAt),
        'times in': tenant.timezone,
      })
      const secrets = key.secrets.map((secret) => ({
        SECRET: `${secret.prefix}…${secret.last4}`,
        STATE: stateOf(key, secret, now, formatTime),
        CREATED: formatTime(secret.createdAt),
        'LAST USED': secret.lastUsedAt === null ? 'not seen yet' : formatTime(secret.lastUsedAt),
      }))
      const fixed = ['SECRET', 'STATE', 'CREATED', 'LAST USED'] as const
      finish({ json: key, text: `${fields}\n${table(secrets, { fixed }, io.columns)}` })
    })

export const settingsOf = (key: Omit<KeySettings, 'name'>) => ({
  scopes: key.scopes.join(', '),
  origins: describeOrigins(key, 'none (servers only)'),
  limits: ownLimits(key) || 'defaults',
})

const describeOrigins = ({ origins, browserOnly }: Omit<KeySettings, 'name'>, none: string) =>
  origins.length === 0 ? none : origins.join(', ') + (browserOnly ? ' (browsers only)' : '')

function ownLimits({ limits }: Pick<KeyRow, 'limits'>): string {
  const settings = Object.entries(limits).map(([name, limit]) => `${name}=${limit}`)
  return settings.join(', ')
}
