import { command } from './command.ts'
import type { Context } from './context.ts'
import { count } from './options.ts'

export const migrate = ({ migrate: run, answer }: Context) =>
  command('migrate', 'Apply database migrations. Safe to run from several machines at once.', [
    'rental migrate',
    'rental migrate --dry-run',
  ])
    .option('--dry-run', 'list pending migrations without applying them')
    .action(async ({ dryRun = false }) => {
      const migrations = await run({ dryRun })
      const json = { applied: dryRun ? 0 : migrations.length, dryRun, migrations }
      answer({ json, text: describe(migrations, dryRun) })
    })

function describe(migrations: readonly string[], dryRun: boolean): string {
  if (migrations.length === 0) return 'The database is up to date.\n'
  const heading = dryRun ? 'Would apply' : 'Applied'
  const list = migrations.map((name) => `  ${name}\n`).join('')
  return `${heading} ${count(migrations.length, 'migration')}:\n${list}`
}
