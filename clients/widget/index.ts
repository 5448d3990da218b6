import { RentalBookingElement } from './element.ts'

export { RentalBookingElement }

// The module may be loaded twice on one page, or on a server.
if (!globalThis.customElements?.get('rental-booking')) {
  globalThis.customElements?.define('rental-booking', RentalBookingElement)
}
