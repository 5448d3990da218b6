/**
 * The steps after the dates. This file has its own copies of the modules that it shares with the main
 * file. Keep the signatures and the interface `Flow` compatible: a widget of another release may load
 * this file.
 */
export { bookingStep } from '../steps/booking.ts'
export { detailsStep } from '../steps/details.ts'
export { extrasStep } from '../steps/extras.ts'
export { vehicleStep } from '../steps/vehicle.ts'
