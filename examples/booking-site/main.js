// An example page with the widget. It shows everything that a page must do itself.
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

// British English, for its date and time formats.
document.documentElement.lang = language === 'en' ? 'en-GB' : language
document.querySelector(`nav [lang=${language}]`).ariaCurrent = 'page'
byId('headline').textContent = headline

/** Returns the ID of the booking in the page's URL. */
const addressed = () => /^#booking=([\da-f-]{36})$/.exec(location.hash)?.[1]

/** Connects the steps to Back and Forward, and puts the booking's ID into the URL. */
function followHistory(widget) {
  let isTravelling = false
  // History entries from before the booking have its ID in `history.state`, not in the URL.
  let bookingId = addressed() ?? history.state?.bookingId
  widget.addEventListener('stepped', ({ detail: { step } }) => {
    // After Back, the widget may show another step than requested. A new entry would disable Forward.
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
