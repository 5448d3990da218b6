import { type Distribution, distribute as distributeDatabase } from '../db/distribute.ts'
import { migrate as migrateDatabase, planMigration } from '../db/migrate.ts'
import { sayCount } from '../domain/counts.ts'
import { localMinute } from '../domain/period.ts'
import { type Audit, audit as auditDatabase } from '../services/audit.ts'
import { keepHouse } from '../services/keepHouse.ts'
import { harmless, shown } from './cell.ts'
import { type Context, command } from './command.ts'

export const migrate = ({ io, withSource, answer }: Context) =>
  command('migrate', 'Apply database migrations. Safe to run from several machines at once.', [
    'rental migrate',
    'rental migrate --dry-run',
  ])
    .option('--dry-run', 'list pending migrations without applying them')
    .action(async ({ dryRun = false }) => {
      const onBlocked = (line: string) => io.writeError(`${harmless(line)}\n`)
      const migrations = await withSource(
        ({ url }) => (dryRun ? planMigration(url) : migrateDatabase(url, { onBlocked })),
        { mayBeNew: !dryRun },
      )
      const json = { applied: dryRun ? 0 : migrations.length, dryRun, migrations }
      answer({ json, text: migrationLines(migrations, dryRun) })
    })

function migrationLines(migrations: readonly string[], dryRun: boolean): string {
  if (migrations.length === 0) return 'The database is up to date.\n'
  const heading = dryRun ? 'Would apply' : 'Applied'
  const list = migrations.map((name) => `  ${name}\n`).join('')
  return `${heading} ${sayCount(migrations.length, 'migration')}:\n${list}`
}

export const distribute = ({ withSource, answer }: Context) =>
  command(
    'distribute',
    'Spread the tenants of a migrated database over the workers of a Citus coordinator.',
    ['rental distribute', 'rental distribute --dry-run'],
  )
    .option('--dry-run', 'list what is not distributed yet, and change nothing')
    .action(async ({ dryRun = false }) => {
      const distribution = await withSource(({ url }) => distributeDatabase(url, { dryRun }))
      answer({ json: distribution, text: distributionLines(distribution, dryRun) })
    })

function distributionLines({ tables, functions }: Distribution, dryRun: boolean): string {
  if (dryRun && tables.length === 0) return 'Everything is already distributed.\n'
  const heading = dryRun ? 'Would distribute' : 'Distributed'
  const list = tables.map(({ name, kind }) => `  ${name}: ${wordsOf[kind]}\n`).join('')
  return `${heading} ${sayCount(tables.length, 'table')} and the functions ${functions.join(', ')}:\n${list}`
}

const wordsOf = { reference: 'on every node', distributed: 'by tenant' }

export const maintain = ({ withDatabase, answer }: Context) =>
  command(
    'maintain',
    'Delete records past their retention. The server also does this every ten minutes.',
    ['rental maintain'],
  ).action(async () => {
    const deleted = await withDatabase(keepHouse)
    const { idempotencyRecords, quotes, bookingEvents, bookingFeedEntries } = deleted
    const text =
      `Deleted ${sayCount(idempotencyRecords, 'idempotency record')}, ${sayCount(quotes, 'quote')}, ` +
      `${sayCount(bookingEvents, 'booking event')} and ${sayCount(bookingFeedEntries, 'feed entry', 'feed entries')}.\n`
    answer({ json: deleted, text })
  })

export const audit = ({ withDatabase, answer }: Context) =>
  command(
    'audit',
    'Check bookings, quotes and the fleet for inconsistencies. Exits with 1 if there are any.',
    ['rental audit'],
  ).action(async () => {
    const result = await withDatabase(auditDatabase)
    answer({ json: result, text: auditLines(result), ok: result.ok })
  })

function auditLines({ invariants, overbookings }: Audit): string {
  const checks = invariants.map(({ name, broken, examples }) =>
    broken === 0
      ? `ok      ${name}\n`
      : `BROKEN  ${name}: ${sayCount(broken, 'row')} ${broken === 1 ? 'breaks' : 'break'} it, such as ${examples.map(({ id }) => id).join(', ')}\n`,
  )
  const lines = overbookings.map(
    ({ tenant, timezone, assetGroup, at, inService, confirmed }) =>
      `OVERBOOKED ${tenant} ${shown(assetGroup)} at ${localMinute(at, timezone)} (${timezone}): ` +
      `${confirmed} confirmed, ${inService} in service\n`,
  )
  const noneOverbooked = 'ok      no group is overbooked\n'
  return checks.join('') + (lines.join('') || noneOverbooked)
}
