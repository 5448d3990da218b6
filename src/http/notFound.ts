import { DomainError } from '../domain/errors.ts'

/** Unknown, archived and foreign groups look alike: nobody learns what others have (decision 8). */
export const unknownAssetGroup = () =>
  new DomainError('NOT_FOUND', 'There is no asset group with this id.')

/** Unknown bookings and those of another key look alike (decision 7). */
export const unknownBooking = () =>
  new DomainError('NOT_FOUND', 'There is no booking with this id.')

export const unknownPath = () => new DomainError('NOT_FOUND', 'There is nothing at this path.')
