import { resolveBookings } from '../services/resolveIds.ts'
import { showBooking } from '../services/showBooking.ts'
import { bookingPage } from './bookingPage.ts'
import { command } from './command.ts'
import type { Context } from './context.ts'

export const bookingsShow = ({ io, now, withDatabase, answer }: Context) =>
  command('show', 'Show all of a booking: customer, price, vehicles left, history.', [
    'rental bookings show 4f1c2a9e',
  ])
    .argument('<id...>', 'IDs of bookings, or their first 6 or more characters')
    .action(async (ids) => {
      const pages = await withDatabase(async (database) => {
        const keys = await resolveBookings(database, ids)
        return Promise.all(keys.map((key) => showBooking(database, key, now)))
      })
      const text = pages.map((page) => bookingPage(page, now, io.columns)).join('\n\n')
      answer({ json: pages.length === 1 ? pages[0] : pages, text })
    })
