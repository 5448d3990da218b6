import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { Refusal } from '../services/refusal.ts'
import { tenantBySlug } from '../services/tenants.ts'
import { command } from './command.ts'
import type { Context } from './context.ts'
import { asOption } from './options.ts'

export const bookingsReview = (context: Context) =>
  command('review', 'Go through pending bookings and decide each with a keystroke.', [
    'rental bookings review --tenant fjord-cars --as Kari',
  ])
    .requiredOption('--tenant <slug>', 'slug of the tenant')
    .option(...asOption)
    .option('--plain', 'read a line for each key and never move the cursor: for screen readers')
    .action(async ({ tenant: slug, as, plain = false }, self) => {
      const { io } = context
      const actor = context.operator(as)
      const lines = plain || io.environment['TERM'] === 'dumb'
      const terminal = lines ? undefined : io.terminal
      if (terminal === undefined && !lines) {
        throw new Refusal('A review needs a terminal. Use --plain to type lines instead.')
      }
      // Only this command pays for what it needs.
      const { plainPrompts, terminalPrompts } = await import('./prompts.ts')
      const { review } = await import('./reviewSession.ts')
      const json = (self as CommandUnknownOpts).optsWithGlobals()['json'] === true
      const decided = await context.withDatabase(async (database) => {
        const { id: tenantId } = await tenantBySlug(database, slug)
        const write = json ? io.writeError : io.writeOut
        const prompts = terminal ? terminalPrompts(terminal) : plainPrompts(io.stdin, write)
        const columns = () => terminal?.output.columns ?? io.columns
        try {
          const now = () => context.now
          return await review({ database, prompts, tenantId, actor, columns, now })
        } finally {
          prompts.close()
        }
      })
      const count = (status: string) => decided.filter((one) => one.status === status).length
      const text = `Confirmed ${count('confirmed')}, rejected ${count('rejected')}.\n`
      context.answer({ json: decided, text })
    })
