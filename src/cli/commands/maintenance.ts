import { distributeDatabase } from '../../db/distribution/distribute.ts'
import { migrateDatabase, planMigration } from '../../db/migrations/migrate.ts'
import { pluralize } from '../../domain/pluralize.ts'
import { localMinute } from '../../domain/pricing/period.ts'
import { runHousekeeping } from '../../lifecycle/housekeeping.ts'
import { auditDatabase } from '../../services/auditDatabase.ts'
import { type Context, command } from '../command.ts'
import { sanitizeLine } from '../terminal/cell.ts'

export const migrate = ({ withSource, finish }: Context) =>
  command('migrate', 'Apply database migrations. Safe to run from several machines at once.', [
    'rental migrate',
    'rental migrate --dry-run',
  ])
    .option('--dry-run', 'list pending migrations without applying them')
    .option('--back', 'after a newer release: apply the functions and views of this release again')
    .action(async ({ dryRun = false, back = false }) => {
      const run = dryRun ? planMigration : migrateDatabase
      const plan = await withSource(({ url }) => run(url, { back }), { mayBeNew: !dryRun })
      const migrations = plan.pending.map(({ tag }) => tag)
      const kept = plan.kept.map(({ tag }) => tag)
      const list = (names: readonly string[]) => names.map((name) => `  ${name}\n`).join('')
      const applied = dryRun ? 0 : migrations.length
      const heading = `${dryRun ? 'Would apply' : 'Applied'} ${pluralize(migrations.length, 'migration')}`
      const texts = [
        migrations.length > 0 && `${heading}:\n${list(migrations)}`,
        kept.length > 0 &&
          `Release ${plan.newerRelease} has migrated this database, so its versions of these stay:\n` +
            `${list(kept)}To go back, run \`rental migrate --back\` when all replicas are replaced.\n`,
      ].filter((text) => text !== false)
      const text = texts.join('') || 'The database is up to date.\n'
      finish({ json: { applied, dryRun, migrations, kept }, text })
    })

export const distribute = ({ withSource, finish }: Context) =>
  command(
    'distribute',
    'Distribute the tenants of a migrated database over the workers of a Citus coordinator.',
    ['rental distribute', 'rental distribute --dry-run'],
  )
    .option('--dry-run', 'list what is not distributed yet, and change nothing')
    .action(async ({ dryRun = false }) => {
      const distribution = await withSource(({ url }) => distributeDatabase(url, { dryRun }))
      const { tables, functions } = distribution
      const heading = dryRun ? 'Would distribute' : 'Distributed'
      const list = tables.map(({ name, kind }) => `  ${name}: ${placementText[kind]}\n`).join('')
      const text =
        dryRun && tables.length === 0
          ? 'Everything is already distributed.\n'
          : `${heading} ${pluralize(tables.length, 'table')} and the functions ${functions.join(', ')}:\n${list}`
      finish({ json: distribution, text })
    })

const placementText = { reference: 'on every node', distributed: 'by tenant' }

export const maintain = ({ withDatabase, finish }: Context) =>
  command(
    'maintain',
    'Delete records and erase customers past their retention. The server also does this every ten minutes.',
    ['rental maintain'],
  ).action(async () => {
    const counts = await withDatabase(runHousekeeping)
    const { idempotencyRecords, quotes, bookingEvents, erasedBookings } = counts
    const text =
      `Deleted ${pluralize(idempotencyRecords, 'idempotency record')}, ` +
      `${pluralize(quotes, 'quote')} and ${pluralize(bookingEvents, 'booking event')}.\n` +
      `Erased personal data from ${pluralize(erasedBookings, 'booking')}.\n`
    finish({ json: counts, text })
  })

export const audit = ({ withDatabase, finish }: Context) =>
  command(
    'audit',
    'Check the schema, bookings, quotes and the fleet for inconsistencies. Exits with 1 if there are any.',
    ['rental audit'],
  ).action(async () => {
    const result = await withDatabase(auditDatabase)
    const missing = result.missing.map((object) => `MISSING ${object}\n`)
    const checks = result.invariants.map(({ name, broken, examples }) =>
      broken === 0
        ? `ok      ${name}\n`
        : `FAIL    ${name}: ${pluralize(broken, 'row')} ${broken === 1 ? 'breaks' : 'break'} it, such as ${examples.map(({ id }) => id).join(', ')}\n`,
    )
    const overbooked = result.overbookings.map(
      ({ tenant, timezone, assetGroup, at, inService, confirmed }) =>
        `OVERBOOKED ${tenant} ${sanitizeLine(assetGroup)} at ${localMinute(at, timezone)} (${timezone}): ` +
        `${confirmed} confirmed, ${inService} in service\n`,
    )
    const text = [
      missing.join('') ||
        'ok      no table, key, index, constraint, function or trigger is missing\n',
      checks.join(''),
      overbooked.join('') || 'ok      no group is overbooked\n',
      result.warnings
        .map(({ tenant, warning }) => `WARNING ${tenant}: ${sanitizeLine(warning)}\n`)
        .join(''),
    ].join('')
    finish({ json: result, text, ok: result.ok })
  })
