import { InvalidArgumentError } from '@commander-js/extra-typings'
import { parseOperatorConfig } from '../../config/environment.ts'
import { pluralize } from '../../domain/pluralize.ts'
import { transferDatabase } from '../../services/transferDatabase.ts'
import { type Context, command } from '../command.ts'
import { describeDatabase } from '../database.ts'

function databaseUrl(typed: string): string {
  if (/^postgres(ql)?:\/\//.test(typed)) return typed
  throw new InvalidArgumentError('It must begin with postgres://.')
}

export const transfer = ({ io, withSource, finish }: Context) =>
  command(
    'transfer',
    'Copy everything into another, empty database, such as the production database.',
    ['rental transfer --to postgres://rental:secret@db.example.com/rental'],
  )
    .requiredOption('--to <url>', 'the database to copy into; it is migrated first', databaseUrl)
    .option('--yes', 'leave behind tables and columns of your own, or of another release')
    .action(async ({ to: typed, yes = false }) => {
      const { databaseUrl: to = typed } = parseOperatorConfig(io.environment, typed)
      const leaveBehind = async (unknown: string) =>
        yes || (await io.ask?.(`This release does not know ${unknown}. Leave it behind?`)) === true
      io.writeError(`Copying into ${describeDatabase(to)}\n`)
      const { tables, audit } = await withSource(({ url: from }) =>
        transferDatabase({ from, to, leaveBehind }),
      )
      const rows = tables.reduce((sum, table) => sum + table.rows, 0)
      const list = tables.map((table) => `  ${table.name}: ${table.rows}\n`).join('')
      const verdict = audit.ok
        ? 'The audit found no problem.\n'
        : 'The audit found problems: run `rental audit`.\n'
      const text = `Copied ${pluralize(rows, 'row')}:\n${list}${verdict}`
      finish({ json: { tables }, text, ok: audit.ok })
    })
