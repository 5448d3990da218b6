import { maintain } from '../services/maintain.ts'
import type { Command } from './command.ts'

export const maintainCommand: Command = {
  name: 'maintain',
  summary: 'Delete what retention no longer keeps; the server also does it by itself.',
  args: [],
  options: [],
  examples: ['rental maintain'],
  async run({ withDatabase }) {
    const deleted = await withDatabase(maintain)
    const { idempotencyRecords, quotes, bookingEvents } = deleted
    const text = `Deleted ${idempotencyRecords} idempotency records, ${quotes} quotes and ${bookingEvents} booking events.\n`
    return { json: deleted, text }
  },
}
