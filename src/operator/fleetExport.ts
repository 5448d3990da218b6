import { fleetFileOf } from '../fleet/fileForm.ts'
import { storedFleet } from '../services/storedFleet.ts'
import { harmlessJson } from './cell.ts'
import { command } from './command.ts'
import type { Context } from './context.ts'

export const fleetExport = ({ withDatabase, answer }: Context) =>
  command('export', "Print a tenant's fleet file. Importing it changes nothing.", [
    'rental fleet export --tenant fjord-cars > fleet.json',
  ])
    .requiredOption('--tenant <slug>', 'slug of the tenant')
    .action(async ({ tenant }) => {
      const file = fleetFileOf(
        tenant,
        await withDatabase((database) => storedFleet(database, tenant)),
      )
      answer({ json: file, text: `${harmlessJson(file)}\n` })
    })
