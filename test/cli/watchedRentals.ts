import { afterEach } from 'vitest'
import { fleetOf } from '../helpers/fleet.ts'
import { openRental } from '../helpers/rental.ts'
import { type Following, follow, stopFollowing, useCommandLine } from './commandLine.ts'

interface News {
  readonly cursor: string
  readonly type: string
  readonly at: string
  readonly actor: string | null
  readonly forced: boolean
  readonly booking: { readonly id: string; readonly timezone: string }
}

export type Watch = Following<News>

export const idsOf = ({ news }: Watch) => news.map(({ booking }) => booking.id)

/** Provides a command line that watches the bookings of new tenants until the test ends. */
export function useWatchedRentals() {
  const operator = useCommandLine()
  let count = 0
  afterEach(stopFollowing)

  async function aWatchedRental() {
    const slug = `watched-${count++}`
    const rental = await openRental(operator.database, fleetOf(3, slug))
    return {
      slug,
      rental,
      book: () => rental.book('2038-03-01T10:00:00Z', '2038-03-02T10:00:00Z'),
      watch: (since?: string, databaseUrl = operator.url): Promise<Watch> => {
        const from = since ? ['--since', since] : []
        return follow(databaseUrl, 'bookings', 'watch', '--tenant', slug, ...from)
      },
      /** Moves all bookings and decisions so far `days` into the past. */
      ageAll(days: number) {
        const long = `interval '${days} days' where tenant_id = '${rental.fleet.tenantId}'`
        return operator.database.pool.query(
          `update bookings set created_at = created_at - ${long};
           update booking_events set created_at = created_at - ${long}`,
        )
      },
      /** Undoes all reading of the feed, as in a backup from before the first watch. */
      restoreUnread() {
        const theirs = `where tenant_id = '${rental.fleet.tenantId}'`
        return operator.database.pool.query(
          `delete from booking_feeds ${theirs};
           update bookings set feed_position = null ${theirs};
           update booking_events set feed_position = null ${theirs}`,
        )
      },
    }
  }
  return { operator, aWatchedRental }
}
