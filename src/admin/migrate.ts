import type { Command } from './command.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Apply migrations; safe when many start at once.',
  args: [],
  options: [],
  async run({ migrate }) {
    const applied = await migrate()
    const text =
      applied === 0 ? 'The database is up to date.\n' : `Applied ${applied} migrations.\n`
    return { json: { applied }, text }
  },
}
