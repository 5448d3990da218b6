import {
  bookingDetailsExample,
  customerDetails,
  rentalDetails,
} from '../../src/input/bookingDetails.ts'

/** The paths of all details of a booking request, each with a valid value. */
export const detailExamples: readonly (readonly [path: string, example: string])[] = [
  ...Object.entries(customerDetails).map(
    ([name, { example }]) => [`customer.${name}`, example] as const,
  ),
  ...Object.entries(rentalDetails).map(([name, { example }]) => [name, example] as const),
]

/** Returns a booking request with every detail, one of which has another value. */
export function bookingWith(quoteId: string, path: string, value: unknown) {
  const { customer, ...rental } = bookingDetailsExample
  const ofCustomer = /^customer\.(.*)/.exec(path)?.[1]
  return ofCustomer === undefined
    ? { quoteId, customer, ...rental, [path]: value }
    : { quoteId, customer: { ...customer, [ofCustomer]: value }, ...rental }
}
