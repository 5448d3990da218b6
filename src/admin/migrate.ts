import type { Command } from './command.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Apply migrations; safe when many start at once.',
  args: [],
  options: [{ name: 'dry-run', summary: 'list what would be applied, and change nothing' }],
  examples: ['rental migrate', 'rental migrate --dry-run'],
  async run({ options, migrate }) {
    const dryRun = options.flag('dry-run')
    const migrations = await migrate({ dryRun })
    return {
      json: { applied: dryRun ? 0 : migrations.length, dryRun, migrations },
      text: describe(migrations, dryRun),
    }
  },
}

function describe(migrations: readonly string[], dryRun: boolean): string {
  if (migrations.length === 0) return 'The database is up to date.\n'
  const heading = dryRun ? 'Would apply' : 'Applied'
  const plural = migrations.length === 1 ? 'migration' : 'migrations'
  const list = migrations.map((name) => `  ${name}\n`).join('')
  return `${heading} ${migrations.length} ${plural}:\n${list}`
}
