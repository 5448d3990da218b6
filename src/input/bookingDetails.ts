import { z } from 'zod'
import { pluck } from '../domain/pluck.ts'
import { email, phone } from './contact.ts'
import { optional, plainText, shortText } from './fields.ts'

/** A detail that a booking request may have. All uses of a detail follow from its declaration. */
interface BookingDetail {
  /** The name of its column in src/db/schema/bookings.ts. */
  readonly column: string
  readonly field: z.ZodType
  /** Whether the column is personal data, which `customers erase` deletes. */
  readonly personal: boolean
  /** Whether staff see the detail: in lists, in the feed, in a search and in `bookings show`. */
  readonly shown: boolean
  /** Its label in `bookings show`. Null for a detail that is part of another line. */
  readonly label: string | null
  readonly example: unknown
}

type BookingDetailsOf = Readonly<Record<string, BookingDetail>>

/** Declares a detail that is personal data and that staff see. */
const personal = <const Column extends string, Field extends z.ZodType>(
  column: Column,
  field: Field,
  example: string,
  label: string | null,
) => ({ column, field, personal: true, shown: true, label, example }) as const

/** The details of the customer, in the order of the request. */
export const customerDetails = {
  firstName: personal(
    'customerFirstName',
    shortText.meta({ description: 'Given names.' }),
    'Kari',
    null,
  ),
  lastName: personal(
    'customerLastName',
    shortText.meta({ description: 'Family name.' }),
    'Nordmann',
    null,
  ),
  email: personal(
    'customerEmail',
    email.meta({
      description:
        'One address, as browsers accept it in `type=email`, or an internationalized one such as `kari@blåbær.no`.',
    }),
    'kari@example.com',
    'Email',
  ),
  phone: personal(
    'customerPhone',
    optional(phone).meta({
      description:
        "At least three digits. Before validation, no-break spaces and invisible characters are removed, and other scripts' digits, full-width characters and dashes of any kind become ASCII.",
    }),
    '+47 12 34 56 78',
    'Phone',
  ),
} satisfies BookingDetailsOf

const location = (description: string) => optional(plainText({ max: 200 })).meta({ description })

/** The other details, in the order of the request. */
export const rentalDetails = {
  pickupLocation: personal(
    'pickupLocation',
    location('The place where the customer wants to get the vehicle.'),
    'Oslo S',
    null,
  ),
  dropoffLocation: personal(
    'dropoffLocation',
    location('The place where the customer wants to return the vehicle.'),
    'Oslo Airport',
    null,
  ),
  notes: personal(
    'notes',
    optional(plainText({ max: 2_000, multiline: true })).meta({
      description: 'The only field that may contain line breaks.',
    }),
    'Arriving by train at 09:40.',
    'Note',
  ),
  reference: personal(
    'reference',
    optional(plainText({ max: 100 })).meta({
      description:
        "The caller's own number of the booking. Staff see it and can search for it, and responses return it.",
    }),
    'TRIP-2035-0117',
    'Reference',
  ),
} satisfies BookingDetailsOf

/** A message of the staff to the customer with a decision. */
export const decisionMessage = plainText({ min: 1, max: 500, multiline: true })

export const bookingDetails = {
  customer: z
    .strictObject(pluck(customerDetails, 'field'))
    .meta({ id: 'Customer', description: 'The person who rents the vehicle.' }),
  ...pluck(rentalDetails, 'field'),
}

export type BookingDetails = z.output<z.ZodObject<typeof bookingDetails>>

export const bookingDetailsExample = {
  customer: pluck(customerDetails, 'example'),
  ...pluck(rentalDetails, 'example'),
}
