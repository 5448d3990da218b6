import type { Database } from '../../db/connection/database.ts'
import { sqlState } from '../../db/connection/failures.ts'
import { inTransaction, type Transaction } from '../../db/connection/transaction.ts'
import { countAvailability } from '../../db/queries/bookings/availability.ts'
import {
  findBookingForReview,
  findLastTransition,
  lockGroup,
  transitionBooking,
} from '../../db/queries/bookings/reviewQueries.ts'
import { type BookingStatus, canTransition } from '../../domain/bookingRules.ts'
import { hasErrorCode } from '../../domain/hasErrorCode.ts'
import { shortId } from '../../domain/ids.ts'
import { availableCount } from '../../domain/occupancy.ts'
import { pluralize } from '../../domain/pluralize.ts'
import { localMinute } from '../../domain/pricing/period.ts'
import { decisionMessage } from '../../input/bookingDetails.ts'
import { paragraph } from '../../input/fields.ts'
import { checkText, OperatorError, unknownId } from '../operatorError.ts'

const statusAfter = {
  confirm: 'confirmed',
  reject: 'rejected',
  cancel: 'cancelled',
} as const satisfies Readonly<Record<string, BookingStatus>>

export type Decision = keyof typeof statusAfter

export interface Review {
  readonly bookingId: string
  readonly decision: Decision
  /** The name of the operator, which is stored with the decision. */
  readonly actor: string
  readonly reason?: string | null
  /** For the customer, who reads it with the status. The reason is internal. */
  readonly message?: string | null
  /** Confirms even if no vehicle is left. */
  readonly force?: boolean
}

type BookingToDecide = NonNullable<Awaited<ReturnType<typeof findBookingForReview>>>

export type ReviewedBooking = Awaited<ReturnType<typeof reviewBooking>>

/**
 * Confirms, rejects or cancels a booking, and records the operator and the reason. `booking` is the
 * booking before.
 * @throws OperatorError for an unknown booking, a status that cannot change like this, or an
 * overbooking. If the error has a `cause`, retry: another transaction is changing the asset group.
 */
export function reviewBooking(database: Database, review: Review) {
  const reason = review.reason?.trim() ? checkText('reason', paragraph, review.reason) : null
  const message = review.message?.trim()
    ? checkText('message', decisionMessage, review.message)
    : null
  return inTransaction(database, async (transaction) => {
    const booking = await lockForTransition(transaction, review)
    const short = review.decision === 'confirm' && (await overbooks(transaction, booking, review))
    const { id, tenantId, status: from } = booking
    const to = statusAfter[review.decision]
    const transition = { from, to, actor: review.actor, reason, message, forced: short }
    if (!(await transitionBooking(transaction, booking, transition))) {
      throw new OperatorError(
        `Booking ${id} has just been changed by someone else. Check it and try again.`,
      )
    }
    return { id, tenantId, previousStatus: from, status: to, forced: short, booking }
  })
}

async function lockForTransition(transaction: Transaction, { bookingId, decision }: Review) {
  let booking = await findBookingForReview(transaction, bookingId)
  if (booking !== undefined && decision === 'confirm') {
    const { groupName } = booking
    await lockGroup(transaction, booking).catch((cause) => {
      if (!hasErrorCode(cause, sqlState.lockNotAvailable)) throw cause
      throw new OperatorError(
        `Someone is changing "${groupName}", perhaps by a fleet import. Try again when that is done.`,
        { cause },
      )
    })
    // Read again under the lock: another operator may have changed the booking.
    booking = await findBookingForReview(transaction, bookingId)
  }
  if (booking === undefined) throw unknownId('booking', bookingId)
  if (canTransition(booking.status, statusAfter[decision])) return booking
  throw await transitionError(transaction, booking, statusAfter[decision])
}

/** Returns an error with the booking's status, the operator who set it, and what to do instead. */
async function transitionError(
  transaction: Transaction,
  booking: BookingToDecide,
  to: BookingStatus,
) {
  const { id, status, timeZone } = booking
  const last = await findLastTransition(transaction, booking)
  const by = last ? ` (${last.actor}, ${localMinute(last.createdAt, timeZone)})` : ''
  if (status === to) return new OperatorError(`Booking ${id} is already ${status}${by}.`)
  const instead =
    status === 'confirmed'
      ? `Cancel it instead: rental bookings cancel ${shortId(id)}.`
      : 'That is final: the customer has to book again.'
  return new OperatorError(`Booking ${id} is ${status}: it can't be ${to}${by}. ${instead}`)
}

/**
 * Reports whether this confirmation overbooks the group.
 * @throws OperatorError if it does and `force` is not set
 */
async function overbooks(transaction: Transaction, booking: BookingToDecide, { force }: Review) {
  const { tenantId, assetGroupId, groupName, turnaroundMinutes, pickupAt: from } = booking
  const local = (at: Date) => localMinute(at, booking.timeZone)
  const window = { from, to: booking.dropoffAt, confirmedOnly: true }
  const counted = await countAvailability(transaction, tenantId, assetGroupId, window)
  if (counted === undefined) throw new Error('Bug: a booking has no group')
  if (availableCount(counted) > 0) return false
  if (force) return true
  const turnaround =
    turnaroundMinutes === 0 ? '' : `, plus ${pluralize(turnaroundMinutes, 'minute')} of turnaround`
  const { inService, peak, shortPickup } = counted
  const taken =
    shortPickup === null
      ? `it has ${pluralize(inService, 'vehicle')} in service and ${pluralize(peak, 'confirmed booking')}`
      : `it would take the last vehicle that is not blocked during the confirmed booking of ${local(shortPickup)}`
  throw new OperatorError(
    `Booking ${shortId(booking.id)} would overbook "${groupName}": from ${local(from)} to ` +
      `${local(booking.dropoffAt)} (${booking.timeZone})${turnaround}, ${taken}. ` +
      `To confirm it anyway: \`rental bookings confirm ${shortId(booking.id)} --force\`.`,
  )
}
