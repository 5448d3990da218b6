/**
 * The steps after the first, and the calendar. Keep the signatures and the interface `Flow` compatible: a
 * widget of another release may load this file.
 */
import type { Flow } from '../flow.ts'
import { bookingStep as booking } from '../steps/booking.ts'
import { detailsStep as details } from '../steps/details.ts'
import { extrasStep as extras } from '../steps/extras.ts'
import { onlyVehicleStep as onlyVehicle } from '../steps/onlyVehicle.ts'
import { vehicleStep as vehicle } from '../steps/vehicle.ts'
import { styleSheet } from '../ui/styles.ts'
import styles from './steps.css'

const sheet = styleSheet(styles)

type Rest<Build> = Build extends (flow: Flow, ...rest: infer Values) => HTMLElement ? Values : never

/** Returns a step that brings its styles. */
const styled =
  <Build extends (flow: Flow, ...rest: never[]) => HTMLElement>(build: Build) =>
  (flow: Flow, ...rest: Rest<Build>): HTMLElement => {
    flow.adopt(sheet)
    return build(flow, ...rest)
  }

export { currentOffer } from '../offer.ts'
export { priceGuide } from './guide.ts'
export { openPeriod } from './period.ts'
export const onlyVehicleStep = styled(onlyVehicle)
export const vehicleStep = styled(vehicle)
export const extrasStep = styled(extras)
export const detailsStep = styled(details)
export const bookingStep = styled(booking)
