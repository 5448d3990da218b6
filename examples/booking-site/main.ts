import { type BookingStep, bookingStep } from './bookingStep.ts'
import { choiceStep } from './choiceStep.ts'
import { openShop, type Shop } from './config.ts'
import { datesStep } from './datesStep.ts'
import { byId } from './dom.ts'
import { explain } from './messages.ts'
import { noticeOf } from './notice.ts'
import { offerStep } from './offerStep.ts'

const bookingInAddress = /^#booking=([\da-f-]{36})$/

/** Ties the steps together: each hands what it found out to the next. */
function openPage(shop: Shop): BookingStep {
  const { name } = shop.config.shop
  document.title = `${name}: rent a vehicle`
  byId('shop-name', HTMLElement).textContent = name

  const booking = bookingStep(shop)
  const offer = offerStep(shop, {
    newQuote: () => choice.quote(),
    booked(made) {
      // Found again after a reload.
      history.replaceState(null, '', `#booking=${made.bookingId}`)
      for (const id of ['dates', 'vehicles']) byId(id, HTMLElement).hidden = true
      booking.show(made)
    },
  })
  const choice = choiceStep(shop, { quote: offer.quote, onChange: offer.withdraw })
  datesStep(shop, {
    show: choice.show,
    onChange() {
      choice.hide()
      offer.withdraw()
    },
  })
  byId('book-another', HTMLElement).addEventListener('click', () => location.assign('/'))
  return booking
}

async function main(): Promise<void> {
  const dates = byId('dates', HTMLElement)
  try {
    const booking = openPage(await openShop())
    const [, bookingId] = bookingInAddress.exec(location.hash) ?? []
    if (bookingId === undefined) return
    await booking.find(bookingId)
    dates.hidden = true
  } catch (error) {
    noticeOf(dates).show(explain(error), () => location.reload())
  }
}

void main()
