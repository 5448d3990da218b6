/** The states of a booking (decision 3). */
export const bookingStatuses = ['pending', 'confirmed', 'rejected', 'cancelled'] as const

export type BookingStatus = (typeof bookingStatuses)[number]

/** The moves staff may make; a status without moves is final (decision 3). */
const bookingMoves: Readonly<Record<BookingStatus, readonly BookingStatus[]>> = {
  pending: ['confirmed', 'rejected', 'cancelled'],
  confirmed: ['cancelled'],
  rejected: [],
  cancelled: [],
}

/** Whether staff may move a booking from one status to the other (decision 3). */
export function canMove(from: BookingStatus, to: BookingStatus): boolean {
  return bookingMoves[from].includes(to)
}
