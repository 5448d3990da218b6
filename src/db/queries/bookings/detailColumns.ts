import {
  type BookingDetails,
  customerDetails,
  rentalDetails,
} from '../../../input/bookingDetails.ts'
import { bookings } from '../../schema/index.ts'

type CustomerDetails = typeof customerDetails
type RentalDetails = typeof rentalDetails
type Detail = CustomerDetails[keyof CustomerDetails] | RentalDetails[keyof RentalDetails]

const details: readonly Detail[] = [
  ...Object.values(customerDetails),
  ...Object.values(rentalDetails),
]

/** Does not compile while src/db/schema/bookings.ts lacks the column of a detail. */
const sqlName = ({ column }: Detail) => bookings[column].name

/** The columns that `customers erase` sets to null. */
export const personalColumns = details.filter(({ personal }) => personal).map(sqlName)

/** Returns the SQL condition that a booking has personal data. */
export const hasPersonalData = (alias: 'b' | 'before') =>
  `num_nonnulls(${personalColumns.map((name) => `${alias}.${name}`).join(', ')}) > 0`

export const searchedColumns = details.filter(({ shown }) => shown).map(sqlName)

/** The columns in words, such as `customer first name`. */
export const searchedDetails = searchedColumns.map((name) => name.replaceAll('_', ' ')).join(', ')

/** The stored values of those details that staff see. */
type Shown<Details extends Readonly<Record<string, Detail>>> = {
  readonly [Name in keyof Details as Details[Name]['shown'] extends true
    ? Name
    : never]: (typeof bookings.$inferSelect)[Details[Name]['column']]
}

/** The details of a booking that staff see. The details are null after the customer was erased. */
export type ShownDetails = { readonly customer: Shown<CustomerDetails> } & Shown<RentalDetails>

/** Returns the SQL of a booking's `ShownDetails` as JSON. */
export function shownDetails(alias: 'b' | 'bookings'): string {
  const fields = (some: Readonly<Record<string, Detail>>) =>
    Object.entries(some)
      .filter(([, { shown }]) => shown)
      .map(([name, detail]) => `'${name}', ${alias}.${sqlName(detail)}`)
      .join(', ')
  return `json_build_object('customer', json_build_object(${fields(customerDetails)}), ${fields(rentalDetails)})`
}

/** Returns the given details as JSON by column, in a fixed order and without missing ones. */
export function detailColumns({ customer, ...rental }: BookingDetails): string {
  const columns = (
    some: Readonly<Record<string, Detail>>,
    values: Readonly<Record<string, unknown>>,
  ) => Object.entries(some).map(([name, detail]) => [sqlName(detail), values[name]] as const)
  return JSON.stringify(
    Object.fromEntries([...columns(customerDetails, customer), ...columns(rentalDetails, rental)]),
  )
}
