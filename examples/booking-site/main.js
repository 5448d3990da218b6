// An example page with the widget. It shows everything that a page must do itself.
import { chosenLanguage, languages, showWords, wordsOf } from './words.js'

const widget = document.querySelector('rental-booking')

function translate(language) {
  const words = wordsOf(language)
  showWords(language, words)
  // Not to the same vehicle and dates.
  const asked = new URLSearchParams(location.search).get('lang')
  document.querySelector('.brand').search = asked ? `lang=${asked}` : ''
  for (const name of ['terms', 'privacy']) {
    widget.setAttribute(`${name}-url`, `/${name}.html${location.search}`)
  }
  const list = document.querySelector('#language')
  for (const [name, text] of Object.entries(languages)) list.add(new Option(text, name))
  list.value = language
  list.ariaLabel = words.language
  list.onchange = () => {
    const search = new URLSearchParams(location.search)
    search.set('lang', list.value)
    // A reload keeps the step, unlike another address.
    history.replaceState(history.state, '', `?${search}${location.hash}`)
    location.reload()
  }
  return words
}

/** Adds a card for each vehicle, and turns this page into that of the one in its address. */
async function showVehicles(baseUrl, apiKey, config) {
  const headers = {
    Authorization: `Bearer ${apiKey}`,
    'Accept-Language': document.documentElement.lang,
  }
  const response = await fetch(`${baseUrl}/api/v1/asset-groups`, { headers })
  if (!response.ok) return
  const { data: groups } = await response.json()
  const shown = groups.find(({ id }) => id === new URLSearchParams(location.search).get('vehicle'))
  const price = { 'base-url': baseUrl, 'api-key': apiKey, config: JSON.stringify(config) }
  const cards = groups.map((group) => vehicleCard(group, price))
  const list = document.querySelector('.fleet')
  list.replaceChildren(...cards)
  whenNear(list, () => import(`${baseUrl}/widget/v1-price.js`).catch(() => {}))
  if (!shown) return
  list.querySelector(`[href*="${shown.id}"]`).ariaCurrent = 'page'
  document.title = `${shown.name} · ${document.title}`
  document.querySelector('h1').textContent = shown.name
  document.querySelector('#lead').textContent = shown.description ?? ''
  document.querySelector('.hero .photo').src = shown.imageUrl ?? '/icon.svg'
}

/** Removes the heading and the room for vehicles if none are listed. */
function leaveOutVehicles() {
  document.querySelector('#vehicles:has(.fleet:empty)')?.remove()
}

/** Returns a card with the photo, the class, the model and the lowest price. It links to the vehicle's page. */
function vehicleCard({ id, name, description, imageUrl }, price) {
  const search = new URLSearchParams(location.search)
  search.set('vehicle', id)
  const [title, ...model] = name.split(': ')
  const heading = make('h3')
  heading.append(make('a', { href: `/?${search}` }, title))
  const text = make('div')
  text.append(heading, make('p', {}, model.join(': ') || (description ?? '')))
  text.append(make('rental-price', { ...price, 'asset-group': id }))
  const card = make('li', { class: 'vehicle' })
  card.append(
    make('img', { src: imageUrl ?? '/icon.svg', alt: '', class: 'photo', loading: 'lazy' }),
    text,
  )
  return card
}

function make(tag, attributes = {}, text = '') {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.textContent = text
  return element
}

/** Calls a function once the visitor comes near an element. */
function whenNear(element, act) {
  const observer = new IntersectionObserver(
    ([{ isIntersecting }]) => {
      if (!isIntersecting) return
      observer.disconnect()
      act()
    },
    { rootMargin: '600px' },
  )
  observer.observe(element)
}

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
const specialDaysMax = 5

/** Shows the station's hours: weekdays with the same hours in one line, then the next special days. */
function showHours({ openingHours, specialDays = [], timeZone }) {
  const place = document.querySelector('#hours')
  place.hidden = !openingHours
  if (!openingHours) return
  const format = (options) => {
    return new Intl.DateTimeFormat(document.documentElement.lang, { ...options, timeZone: 'UTC' })
  }
  const timesOf = (list) =>
    list.map(({ opens, closes }) => `${opens}–${closes}`).join(', ') || words.closed
  const weekday = format({ weekday: 'long' })
  // 4 January 2027 was a Monday.
  const nameOf = (at) => weekday.format(new Date(Date.UTC(2027, 0, 4 + at)))
  const lines = []
  for (const [at, day] of days.entries()) {
    const times = timesOf(openingHours.filter((hours) => hours.days.includes(day)))
    const last = lines.at(-1)
    if (last?.times === times) last.name = `${last.first} – ${nameOf(at)}`
    else lines.push({ first: nameOf(at), name: nameOf(at), times })
  }
  const date = format({ weekday: 'short', day: 'numeric', month: 'long' })
  const today = new Date().toLocaleDateString('sv', { timeZone })
  const coming = specialDays
    .filter(({ to }) => to >= today)
    .sort((a, b) => `${a.from} ${a.opens}`.localeCompare(`${b.from} ${b.opens}`))
  const byDates = Map.groupBy(coming, ({ from, to }) => `${from} ${to}`)
  for (const hours of [...byDates.values()].slice(0, specialDaysMax)) {
    const [{ from, to }] = hours
    const dates = date.formatRange(new Date(from), new Date(to))
    const name = hours.find((each) => each.name)?.name
    const times = timesOf(hours.filter(({ opens }) => opens))
    lines.push({ name: name ? `${dates} (${name})` : dates, times })
  }
  const rows = lines.map(({ name, times }) => {
    const row = document.createElement('div')
    row.append(`${name}: `, document.createElement('span'))
    row.lastChild.textContent = times
    return row
  })
  place.querySelector('dd').replaceChildren(...rows)
}

/** Returns the ID of the booking in the page's URL. */
const addressed = () => /^#booking=([\da-f-]{36})$/.exec(location.hash)?.[1]

/** Returns the search of the page's address with the dates, so that it leads to the same vehicles. */
function searchWith(pickup, dropoff) {
  const search = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries({ pickup, dropoff })) {
    if (value) search.set(name, value)
    else search.delete(name)
  }
  return `?${search}`.replaceAll('%3A', ':').replace(/^\?$/, '')
}

/** Leaves only the widget, the station and the footer after the dates. The widget stays where it is. */
function showStep({ detail: { step } }) {
  const root = document.documentElement
  const before = widget.getBoundingClientRect().top
  root.toggleAttribute('data-later', step !== 'dates')
  scrollBy({ top: widget.getBoundingClientRect().top - before, behavior: 'instant' })
  try {
    sessionStorage.step = step
  } catch {}
}

/** Makes the company's name lead back from a later step to the start of this page. */
function followHome() {
  document.querySelector('.brand').addEventListener('click', (event) => {
    if (!document.documentElement.hasAttribute('data-later')) return
    event.preventDefault()
    widget.addEventListener('stepped', () => scrollTo({ top: 0, behavior: 'instant' }), {
      once: true,
    })
    widget.show('dates')
  })
}

/** Connects the steps to Back and Forward, and puts the booking's ID into the URL. */
function followHistory() {
  let isTravelling = false
  // History entries from before the booking have its ID in `history.state`, not in the URL.
  let bookingId = addressed() ?? history.state?.bookingId
  widget.addEventListener('stepped', ({ detail: { step, pickup, dropoff } }) => {
    // Otherwise Back and Forward scroll to where the other step was, before that step is shown.
    if (step !== 'dates') history.scrollRestoration = 'manual'
    // After Back, the widget may show another step than requested. A new entry would disable Forward.
    const isHere = isTravelling || history.state === null || history.state.step === step
    const write = isHere ? 'replaceState' : 'pushState'
    isTravelling = false
    const hasDates = step !== 'dates' || new URLSearchParams(location.search).has('pickup')
    const plain = location.pathname + (hasDates ? searchWith(pickup, dropoff) : location.search)
    const isKnown = step === 'booking' && bookingId !== undefined
    history[write](
      { step, bookingId },
      '',
      isKnown ? `${location.pathname}${searchWith()}#booking=${bookingId}` : plain,
    )
  })
  widget.addEventListener('booked', ({ detail }) => {
    bookingId = detail.bookingId
    history.replaceState(
      { step: 'booking' },
      '',
      `${location.pathname}${searchWith()}#booking=${bookingId}`,
    )
  })
  // After a reload or a return from another page, the visitor expects the same place.
  addEventListener('pagehide', () => {
    history.scrollRestoration = 'auto'
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

/** Shows that booking is not possible, how to reach the company, and a button to try again. */
function showFailure() {
  document.documentElement.removeAttribute('data-later')
  leaveOutVehicles()
  fillIn()
  widget.classList.add('failed')
}

/** Fills the widget with what it shows itself if it cannot load its texts. */
function fillIn() {
  const text = document.createElement('p')
  text.textContent = words.again
  const contact = document.createElement('p')
  contact.append(...document.querySelector('.contact').cloneNode(true).childNodes)
  const reload = document.createElement('button')
  reload.textContent = words.reload
  reload.onclick = () => location.reload()
  widget.replaceChildren(text, contact, reload)
}

const words = translate(chosenLanguage())
try {
  const { baseUrl, apiKey, config } = await (await fetch('/config.json')).json()
  const bookingId = addressed()
  if (bookingId !== undefined) widget.setAttribute('booking-id', bookingId)
  widget.setAttribute('base-url', baseUrl)
  widget.setAttribute('api-key', apiKey)
  widget.config = config
  const search = new URLSearchParams(location.search)
  if (search.get('vehicle')) widget.setAttribute('asset-group', search.get('vehicle'))
  // After a reload, the widget shows what the visitor has chosen since.
  for (const name of history.state ? [] : ['pickup', 'dropoff']) {
    if (search.get(name)) widget.setAttribute(name, search.get(name))
  }
  showHours(config)
  showVehicles(baseUrl, apiKey, config)
    .catch(() => {})
    .finally(leaveOutVehicles)
  followHistory()
  widget.addEventListener('stepped', showStep)
  followHome()
  widget.addEventListener('failed', fillIn)
  await import(`${baseUrl}/widget/v1.js`)
} catch {
  showFailure()
}
