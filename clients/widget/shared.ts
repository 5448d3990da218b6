/**
 * Functions of the main file that the files loaded later use: the build replaces their imports by reads of
 * `RentalBookingElement.shared`. Keep their signatures compatible: a file of another release may call them.
 */
export { dateAfter } from '../../src/domain/openingHours.ts'
export { RentalApiError } from '../typescript/errors.ts'
export { sleep, withRetries } from '../typescript/retry.ts'
export { arrayFrom } from './arrayFrom.ts'
export { explain } from './explain.ts'
export {
  adjustDropoff,
  alignPickup,
  daysMax,
  enteredLength,
  firstPickup,
  hoursAt,
  lastDate,
  lastDropoff,
  localPeriod,
  nearestTime,
  openDate,
  periodError,
  periodOf,
  timesOn,
  todayAt,
} from './period.ts'
export { button, make, setClass } from './ui/dom.ts'
export { isField, markField } from './ui/field.ts'
export { attempts, onSubmit } from './ui/form.ts'
export { noticeOf } from './ui/notice.ts'
export {
  breakable,
  catalogName,
  contactLinks,
  field,
  input,
  link,
  section,
  select,
  stationLine,
} from './ui/parts.ts'
export { openInline, periodControl } from './ui/periodControl.ts'
export { skeletonCards } from './ui/skeleton.ts'
export { styleSheet } from './ui/styles.ts'
export { isOfPeriod, isSoldOut } from './vehicles.ts'
export { dayMs, instantMs, wallClockMs } from './zone.ts'
