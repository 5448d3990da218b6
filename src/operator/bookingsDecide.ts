import { resolveBookings } from '../services/resolveIds.ts'
import type { Decision } from '../services/reviewBooking.ts'
import { command, exampleId } from './command.ts'
import type { Context } from './context.ts'
import { decideEach } from './decideEach.ts'
import { asOption } from './options.ts'

export const idsHelp = 'IDs of bookings, or their first 6 or more characters'

interface DecideOptions {
  readonly reason?: string | null
  readonly force?: boolean
  readonly as?: string
}

export const bookingsConfirm = decide(
  'confirm',
  'Confirm pending bookings, unless that would overbook their group.',
  [
    `rental bookings confirm ${exampleId}`,
    "rental bookings confirm 4f1c2a9e --force --reason 'van returns early' --as Kari",
  ],
)
export const bookingsCancel = decide('cancel', 'Cancel pending or confirmed bookings.', [
  "rental bookings cancel 4f1c2a9e --reason 'customer called'",
])

function decide(decision: Decision, summary: string, examples: readonly string[]) {
  return (context: Context) => {
    const created = command(decision, summary, examples)
      .argument('<id...>', idsHelp)
      .option('--reason <text>', 'recorded with the decision')
      .option(...asOption)
    if (decision === 'confirm') {
      created.option('--force', 'confirm even if no vehicle is left; this is recorded')
    }
    return created.action((ids, { as, ...given }: DecideOptions) =>
      decideEach(context, { decision, actor: context.operator(as), ...given }, async (database) =>
        (await resolveBookings(database, ids)).map(({ id }) => id),
      ),
    )
  }
}
