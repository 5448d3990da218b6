import { keepHouse } from '../services/keepHouse.ts'
import { command } from './command.ts'
import type { Context } from './context.ts'

export const maintain = ({ withDatabase, answer }: Context) =>
  command(
    'maintain',
    'Delete records past their retention. The server also does this every ten minutes.',
    ['rental maintain'],
  ).action(async () => {
    const deleted = await withDatabase(keepHouse)
    const { idempotencyRecords, quotes, bookingEvents } = deleted
    const text = `Deleted ${idempotencyRecords} idempotency records, ${quotes} quotes and ${bookingEvents} booking events.\n`
    answer({ json: deleted, text })
  })
