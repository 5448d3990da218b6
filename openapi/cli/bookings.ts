import { z } from 'zod'
import { bookingStatuses, channels } from '../../src/domain/bookingRules.ts'
import { customerDetails, rentalDetails } from '../../src/input/bookingDetails.ts'
import { count, date, decimal, id, instant, listOf, oneOrList, text, textOrNull } from './types.ts'

const status = z.enum(bookingStatuses)
const decidedStatus = status.exclude(['pending'])
const length = z.strictObject({ days: count, restMinutes: count })

/** Returns the details that staff see. All are null after the customer was erased. */
const shown = (details: Readonly<Record<string, { readonly shown: boolean }>>) => {
  const names = Object.keys(details).filter((name) => details[name]?.shown)
  return Object.fromEntries(names.map((name) => [name, textOrNull]))
}

const booking = {
  id,
  status,
  customer: z.strictObject(shown(customerDetails)),
  ...shown(rentalDetails),
  assetGroup: z.strictObject({ id, ref: text, name: text }),
  pickupDatetime: instant,
  dropoffDatetime: instant,
  timezone: text,
  total: decimal,
  currency: text,
  apiKey: z.strictObject({ id, name: text }),
  channel: z.enum(channels),
  createdAt: instant,
}

export const bookingsListOutput = listOf({
  ...booking,
  length,
  short: z.boolean().nullable(),
  contested: z.boolean().nullable(),
}).describe(
  '`short`: confirmed bookings leave no vehicle for this one. `contested`: pending and confirmed bookings together leave none, so a short booking is contested, too. Both are null for bookings that are final or over.',
)

export const bookingsWatchOutput = z
  .strictObject({
    cursor: text,
    type: z.enum(['booked', ...decidedStatus.options]),
    at: instant,
    actor: textOrNull,
    reason: textOrNull,
    message: textOrNull.describe('For the customer.'),
    forced: z.boolean(),
    booking: z.strictObject(booking),
  })
  .describe(
    'One document for each line. `type` is `booked`, or the new status of the booking. `cursor` is the value for --since.',
  )

const breakdown = z
  .looseObject({ days: count, subtotal: decimal, total: decimal })
  .describe('The breakdown of the quote, as in the API.')

const vehicles = { inService: count, confirmed: count, held: count }

const bookingPage = z.strictObject({
  ...booking,
  quoteId: id,
  erasedAt: instant.nullable(),
  tenant: z.strictObject({ id, slug: text, name: text }),
  assetGroup: booking.assetGroup.extend({ category: text, turnaroundMinutes: count }),
  length,
  breakdown,
  closed: z
    .strictObject({ pickup: textOrNull, dropoff: textOrNull })
    .describe('Why the time is outside of the present opening hours; null inside of them.'),
  vehicles: z
    .strictObject({
      ...vehicles,
      short: z.boolean(),
      contested: z.boolean(),
      days: listOf({ from: date, to: date, ...vehicles }),
    })
    .nullable(),
  history: listOf({
    at: instant,
    from: text,
    to: text,
    actor: text,
    reason: textOrNull,
    message: textOrNull.describe('For the customer.'),
    forced: z.boolean(),
  }),
})

export const bookingsShowOutput = oneOrList(bookingPage)

const decided = z.strictObject({
  id,
  tenantId: id,
  previousStatus: status,
  status: decidedStatus,
  forced: z.boolean(),
})

export const bookingsDecideOutput = oneOrList(
  decided,
  z.union([decided.extend({ refused: z.null() }), z.strictObject({ id: text, refused: text })]),
).describe('A list for several ids, in which `refused` is the reason why one was not changed.')

export const customersEraseOutput = z.strictObject({
  erased: listOf({ tenantId: id, id, status, again: z.boolean(), open: z.boolean() }),
})
