const fragment = /^#booking=([\da-f-]{36})$/

/** Returns the ID of the booking in the fragment of an address. */
export const linkedBooking = (address: string): string | undefined =>
  fragment.exec(new URL(address).hash)?.[1]

/** Returns the address that shows a booking; undefined on a page that routes by its fragment. */
export function bookingLink(address: string, bookingId: string): string | undefined {
  const url = new URL(address)
  // Routes such as `#/book` and `#!book`. A fragment of another form is an anchor in the page.
  if (/^#[!/]/.test(url.hash)) return undefined
  url.hash = `booking=${bookingId}`
  return url.href
}
