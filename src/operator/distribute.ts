import type { Distribution } from '../db/distribute.ts'
import { command } from './command.ts'
import type { Context } from './context.ts'
import { count } from './options.ts'

export const distribute = ({ distribute: run, answer }: Context) =>
  command(
    'distribute',
    'Spread the tenants of a migrated database over the workers of a Citus coordinator.',
    ['rental distribute', 'rental distribute --dry-run'],
  )
    .option('--dry-run', 'list what is not distributed yet, and change nothing')
    .action(async ({ dryRun = false }) => {
      const distribution = await run({ dryRun })
      answer({ json: distribution, text: describe(distribution, dryRun) })
    })

function describe({ tables, functions }: Distribution, dryRun: boolean): string {
  if (dryRun && tables.length === 0) return 'Everything is distributed already.\n'
  const heading = dryRun ? 'Would distribute' : 'Distributed are'
  const list = tables.map(({ name, kind }) => `  ${name}: ${places[kind]}\n`).join('')
  return `${heading} ${count(tables.length, 'table')}, and the functions ${functions.join(', ')}:\n${list}`
}

const places = { reference: 'on every node', distributed: 'by tenant' }
