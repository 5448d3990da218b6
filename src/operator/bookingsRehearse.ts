import { rehearse } from '../services/rehearse.ts'
import { watching } from './bookingsWatch.ts'
import { command } from './command.ts'
import type { Context } from './context.ts'
import { readDuration } from './duration.ts'

export const bookingsRehearse = ({ io, withDatabase, tell }: Context) =>
  command('rehearse', "Decide a sandbox's bookings as their notes ask, until interrupted.", [
    'rental bookings rehearse --tenant sandbox',
    'rental bookings rehearse --tenant sandbox --after 1m',
  ])
    .requiredOption('--tenant <slug>', 'slug of a tenant that is a sandbox')
    .option('--after <time>', 'so long after it was made, such as 5s or 1m', readDuration, 5)
    .action(({ tenant, after: afterSeconds }) =>
      withDatabase(async (database) => {
        const decided = rehearse(database, tenant, afterSeconds * 1_000, watching(io))
        for await (const one of decided) {
          tell({ json: one, text: `Booking ${one.id} is ${one.status}.\n` })
        }
      }),
    )
