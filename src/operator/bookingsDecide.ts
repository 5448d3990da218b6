import { listBookings } from '../services/listBookings.ts'
import { resolveBookings } from '../services/resolveIds.ts'
import type { Decision } from '../services/reviewBooking.ts'
import { bookingTable } from './bookingTable.ts'
import { command, exampleId } from './command.ts'
import type { Context } from './context.ts'
import { decideEach } from './decideEach.ts'
import { asOption, readDuration } from './options.ts'

const idsHelp = 'IDs of bookings, or their first 6 or more characters'

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
      decideEach(context, { decision, actor: context.operator(as), ...given }, (database) =>
        resolveBookings(database, ids),
      ),
    )
  }
}

export const bookingsReject = (context: Context) =>
  command('reject', 'Reject pending bookings.', [
    "rental bookings reject 4f1c2a9e 7d2b04 --reason 'no vehicle left'",
    "rental bookings reject --tenant fjord-cars --older-than 3d --reason 'not answered' --yes",
  ])
    .argument('[id...]', idsHelp)
    .option('--reason <text>', 'recorded with the decision')
    .option(...asOption)
    .option('--older-than <time>', 'all that have waited longer, such as 12h or 3d', readDuration)
    .option('--tenant <slug>', 'slug of the tenant, with --older-than')
    .option('--yes', 'with --older-than: reject them; without it they are only listed')
    .action(async (ids, { as, reason = null, olderThan, tenant, yes = false }, self) => {
      if ((ids.length === 0) === (olderThan === undefined)) {
        self.error("error: missing argument 'id', or --older-than, and not both")
      }
      if ((olderThan === undefined) !== (tenant === undefined)) {
        self.error('error: --older-than and --tenant belong together')
      }
      const review = { decision: 'reject', actor: context.operator(as), reason } as const
      if (olderThan === undefined || tenant === undefined) {
        return decideEach(context, review, (database) => resolveBookings(database, ids))
      }
      const waiting = await pendingFor(context, tenant, olderThan)
      if (waiting.bookings.length === 0) {
        return context.answer({ json: [], text: 'No pending booking has waited that long.\n' })
      }
      if (yes) return decideEach(context, review, async () => waiting.bookings, { asList: true })
      const { io, now, answer } = context
      const many = waiting.bookings.length === 1 ? 'this one' : `these ${waiting.bookings.length}`
      const text =
        bookingTable(waiting.bookings, waiting.tenant, now, io.columns) +
        `Nothing was rejected. Add --yes to reject ${many}.\n`
      answer({ json: waiting.bookings, text, ok: false })
    })

function pendingFor({ now, withDatabase }: Context, tenant: string, seconds: number) {
  const madeBefore = new Date(now.getTime() - seconds * 1_000)
  return withDatabase((database) =>
    listBookings(database, tenant, { status: 'pending', madeBefore }, now),
  )
}
