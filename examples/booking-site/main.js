// An example page with the widget. It shows everything that a page must do itself.
import { chosenLanguage, languages, showWords, wordsOf } from './words.js'

const widget = document.querySelector('rental-booking')

function translate(language) {
  const words = wordsOf(language)
  showWords(language, words)
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
    location.search = search
  }
  return words
}

/** Adds a link to the page of each vehicle, and turns this page into that of the one in its address. */
async function showVehicles(baseUrl, apiKey) {
  const headers = {
    Authorization: `Bearer ${apiKey}`,
    'Accept-Language': document.documentElement.lang,
  }
  const response = await fetch(`${baseUrl}/api/v1/asset-groups`, { headers })
  if (!response.ok) return
  const { data: groups } = await response.json()
  const search = new URLSearchParams(location.search)
  const shown = groups.find(({ id }) => id === search.get('vehicle'))
  const items = groups.map(({ id, name, imageUrl }) => {
    const link = document.createElement('a')
    search.set('vehicle', id)
    link.href = `/?${search}`
    link.append(photo(imageUrl), name)
    if (id === shown?.id) link.ariaCurrent = 'page'
    const item = document.createElement('li')
    item.append(link)
    return item
  })
  document.querySelector('#vehicles ul').replaceChildren(...items)
  if (!shown) return
  document.title = `${shown.name} · ${document.title}`
  document.querySelector('h1').textContent = shown.name
  document.querySelector('#lead').textContent = shown.description ?? ''
  document.querySelector('.hero .photo').src = shown.imageUrl ?? '/icon.svg'
}

function photo(url) {
  const image = document.createElement('img')
  image.src = url ?? '/icon.svg'
  image.alt = ''
  image.className = 'photo'
  image.loading = 'lazy'
  return image
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

/** Connects the steps to Back and Forward, and puts the booking's ID into the URL. */
function followHistory() {
  let isTravelling = false
  // History entries from before the booking have its ID in `history.state`, not in the URL.
  let bookingId = addressed() ?? history.state?.bookingId
  widget.addEventListener('stepped', ({ detail: { step, pickup, dropoff } }) => {
    // After Back, the widget may show another step than requested. A new entry would disable Forward.
    const write = isTravelling || history.state === null ? 'replaceState' : 'pushState'
    isTravelling = false
    if (history.state?.step === step) return
    const plain =
      location.pathname + (step === 'dates' ? location.search : searchWith(pickup, dropoff))
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
  showVehicles(baseUrl, apiKey).catch(() => {})
  followHistory()
  widget.addEventListener('failed', fillIn)
  await import(`${baseUrl}/widget/v1.js`)
} catch {
  showFailure()
}
