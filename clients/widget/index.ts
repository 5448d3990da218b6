// First, since it compresses better there.
import './messages/en.ts'
import { RentalBookingElement } from './element.ts'

export { RentalBookingElement }

// Loaded by two tags of one page, or without a page at all.
if (!globalThis.customElements?.get('rental-booking')) {
  globalThis.customElements?.define('rental-booking', RentalBookingElement)
}
