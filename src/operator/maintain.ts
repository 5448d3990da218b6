import { keepHouse } from '../services/keepHouse.ts'
import { command } from './command.ts'
import type { Context } from './context.ts'
import { count } from './options.ts'

export const maintain = ({ withDatabase, answer }: Context) =>
  command(
    'maintain',
    'Delete records past their retention. The server also does this every ten minutes.',
    ['rental maintain'],
  ).action(async () => {
    const deleted = await withDatabase(keepHouse)
    const { idempotencyRecords, quotes, bookingEvents, bookingFeedEntries } = deleted
    const text =
      `Deleted ${count(idempotencyRecords, 'idempotency record')}, ${count(quotes, 'quote')}, ` +
      `${count(bookingEvents, 'booking event')} and ${bookingFeedEntries} of the feed.\n`
    answer({ json: deleted, text })
  })
