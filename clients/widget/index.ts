import { RentalBookingElement } from './element.ts'

export { RentalBookingElement }

// Loaded by two tags of one page, or without a page at all.
if (globalThis.customElements?.get('rental-booking') === undefined) {
  globalThis.customElements?.define('rental-booking', RentalBookingElement)
}
