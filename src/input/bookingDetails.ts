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

/** The details of the customer, in the order of the request. */
export const customerDetails = {
  firstName: {
    column: 'customerFirstName',
    field: shortText,
    personal: true,
    shown: true,
    label: null,
    example: 'Kari',
  },
  lastName: {
    column: 'customerLastName',
    field: shortText,
    personal: true,
    shown: true,
    label: null,
    example: 'Nordmann',
  },
  email: {
    column: 'customerEmail',
    field: email,
    personal: true,
    shown: true,
    label: 'Email',
    example: 'kari@example.com',
  },
  phone: {
    column: 'customerPhone',
    field: optional(phone).meta({
      description:
        "At least three digits. Before validation, no-break spaces and direction marks are removed, and other scripts' digits, full-width characters and dashes of any kind become ASCII.",
    }),
    personal: true,
    shown: true,
    label: 'Phone',
    example: '+47 12 34 56 78',
  },
} as const satisfies BookingDetailsOf

/** The other details, in the order of the request. */
export const rentalDetails = {
  pickupLocation: {
    column: 'pickupLocation',
    field: optional(plainText({ max: 200 })),
    personal: true,
    shown: true,
    label: null,
    example: 'Oslo S',
  },
  dropoffLocation: {
    column: 'dropoffLocation',
    field: optional(plainText({ max: 200 })),
    personal: true,
    shown: true,
    label: null,
    example: 'Oslo Airport',
  },
  notes: {
    column: 'notes',
    field: optional(plainText({ max: 2_000, multiline: true })).meta({
      description: 'The only field that may contain line breaks.',
    }),
    personal: true,
    shown: true,
    label: 'Note',
    example: 'Arriving by train at 09:40.',
  },
} as const satisfies BookingDetailsOf

/** The fields of a booking request beside the quote's id. */
export const bookingDetails = {
  customer: z.object(pluck(customerDetails, 'field')).meta({ id: 'Customer' }),
  ...pluck(rentalDetails, 'field'),
}

/** The valid details of a booking request. */
export type BookingDetails = z.output<z.ZodObject<typeof bookingDetails>>

export const bookingDetailsExample = {
  customer: pluck(customerDetails, 'example'),
  ...pluck(rentalDetails, 'example'),
}
