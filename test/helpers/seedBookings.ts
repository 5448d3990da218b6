import { randomUUID } from 'node:crypto'
import type { Database } from '../../src/db/connection/database.ts'
import { bookings, quotes } from '../../src/db/schema/index.ts'
import type { BookingStatus } from '../../src/domain/bookingRules.ts'
import type { PriceSnapshot } from '../../src/domain/pricing/priceSnapshot.ts'

export interface SeededBooking {
  readonly pickupAt: Date
  readonly dropoffAt: Date
  readonly status: BookingStatus
  readonly createdAt?: Date
  /** Set for a booking made in a browser. */
  readonly sessionId?: string
}

/** Rows per statement. PostgreSQL accepts at most 65,535 parameters. */
const chunkLength = 2_000

/** Inserts bookings of any status with their used quotes. Returns the bookings' IDs. */
export async function seedBookings(
  database: Database,
  owner: { tenantId: string; apiKeyId: string; assetGroupId: string },
  seeded: readonly SeededBooking[],
): Promise<string[]> {
  const ids: string[] = []
  for (let start = 0; start < seeded.length; start += chunkLength) {
    const chunk = seeded.slice(start, start + chunkLength).map((booking) => ({
      ...owner,
      ...booking,
      id: randomUUID(),
      quoteId: randomUUID(),
      totalMinor: 0n,
      currency: 'NOK',
    }))
    await database.orm.insert(quotes).values(
      chunk.map(({ quoteId, status: _, ...rest }) => ({
        ...rest,
        id: quoteId,
        inputs: { timeZone: 'Europe/Oslo' } as PriceSnapshot,
        breakdown: { total: '0.00' } as never,
        expiresAt: new Date(Date.now() + 60_000),
        usedAt: new Date(),
      })),
    )
    await database.orm.insert(bookings).values(
      chunk.map((booking) => ({
        ...booking,
        customerFirstName: 'Kari',
        customerLastName: 'Nordmann',
        customerEmail: 'kari@example.com',
      })),
    )
    ids.push(...chunk.map(({ id }) => id))
  }
  return ids
}
