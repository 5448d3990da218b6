// A shop around the widget: all that a page has to do itself is here.
const words = {
  en: { headline: 'Find your vehicle, book in two minutes', again: 'Booking is out of reach.' },
  de: { headline: 'Fahrzeug finden, in zwei Minuten buchen', again: 'Nicht erreichbar.' },
  nb: {
    headline: 'Finn kjøretøyet, bestill på to minutter',
    again: 'Bestilling er utilgjengelig.',
  },
}
const asked = new URLSearchParams(location.search).get('lang') ?? 'en'
const language = Object.hasOwn(words, asked) ? asked : 'en'
const { headline, again } = words[language]
const byId = (id) => document.getElementById(id)

// English, but with the dates and hours of this side of the sea.
document.documentElement.lang = language === 'en' ? 'en-GB' : language
document.querySelector(`nav [lang=${language}]`).ariaCurrent = 'page'
byId('headline').textContent = headline

/** Which booking the page's address names. */
const addressed = () => /^#booking=([\da-f-]{36})$/.exec(location.hash)?.[1]

/** Back and Forward go through the steps; a booking can be found again by its address. */
function followHistory(widget) {
  let isTravelling = false
  // Of the entries before a booking only their state knows it, and only once they were gone back to.
  let bookingId = addressed() ?? history.state?.bookingId
  widget.addEventListener('stepped', ({ detail: { step } }) => {
    // Where another step is shown than was asked for, a new entry would end the way forward.
    const write = isTravelling || history.state === null ? 'replaceState' : 'pushState'
    isTravelling = false
    if (history.state?.step === step) return
    const plain = location.pathname + location.search
    const isKnown = step === 'booking' && bookingId !== undefined
    history[write]({ step, bookingId }, '', isKnown ? `#booking=${bookingId}` : plain)
  })
  widget.addEventListener('booked', ({ detail }) => {
    bookingId = detail.bookingId
    history.replaceState({ step: 'booking' }, '', `#booking=${bookingId}`)
  })
  addEventListener('popstate', ({ state }) => {
    const asked = addressed()
    bookingId = asked ?? bookingId
    isTravelling = asked !== undefined || state !== null
    if (state !== null) history.replaceState({ ...state, bookingId }, '')
    if (asked !== undefined) widget.setAttribute('booking-id', asked)
    else if (state !== null) widget.show(state.step)
  })
}

async function main() {
  const { baseUrl, apiKey, config } = await (await fetch('/config.json')).json()
  await import(`${baseUrl}/widget/v1.js`)
  document.title = `${config.name}: ${headline}`
  byId('shop').textContent = config.name

  const widget = document.createElement('rental-booking')
  const bookingId = addressed()
  if (bookingId !== undefined) widget.setAttribute('booking-id', bookingId)
  widget.setAttribute('base-url', baseUrl)
  widget.setAttribute('api-key', apiKey)
  widget.config = config
  followHistory(widget)
  byId('waiting').replaceWith(widget)
}

main().catch(() => {
  byId('waiting').textContent = again
})
