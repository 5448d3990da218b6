import { chosenGroup, chosenVehicle } from '../choices.ts'
import type { Fields } from '../config.ts'
import type { Flow } from '../flow.ts'
import { button, make } from '../ui/dom.ts'
import { catalogName } from '../ui/parts.ts'
import { photoOf } from '../ui/photo.ts'
import { mark, vehicleName, withPrice } from '../ui/text.ts'
import type { Attempt } from '../ui/types.ts'
import type { Search, Vehicle } from '../vehicles.ts'
import { reportChoice } from './choiceEvents.ts'

/** Finds the next dates of a sold-out vehicle, and takes them. */
export interface FreeOffer {
  find(vehicle: Vehicle): Promise<Fields | undefined>
  take(dates: Fields, id: string): void
}

/** Vehicles are counted from this number down. */
const fewMax = 3

/** Returns a card with one button, which covers the whole card. */
export function vehicleCard(
  flow: Flow,
  search: Search,
  vehicle: Vehicle,
  attempt: Attempt,
  free: FreeOffer,
): HTMLElement {
  const { texts } = flow
  const { id, name, description } = vehicle.group
  const { available, availableCount: count } = vehicle.availability
  const isFew = available && count <= fewMax
  const price = make(
    'p',
    { id: `price-${id}`, className: 'price' },
    ...(available ? guidePrice(flow, search, vehicle) : []),
  )
  if (!available) void offerDates(flow, price, vehicle, free)
  const choice = available
    ? chooseButton(flow, search, vehicle, attempt)
    : make('span', { className: 'none' }, texts.t('soldOut'))
  return make(
    'li',
    { className: `card ${available ? 'free' : 'sold-out'}` },
    photo(search, vehicle),
    make(
      'div',
      {},
      make('h3', { id: `name-${id}` }, ...vehicleName(flow, name)),
      description && descriptionOf(flow, description),
      isFew && make('span', { className: 'few' }, texts.message('few', { count })),
    ),
    make('div', { className: 'buy' }, price, choice),
  )
}

/** Returns a description. Many companies write a list with dots, such as "5 seats · 3 suitcases". */
function descriptionOf(flow: Flow, description: string): HTMLElement {
  const points = description.split(' · ').map((point) => catalogName(flow, point))
  const className = points.length > 1 ? 'hint points' : 'hint'
  return make('p', { className }, ...points.flatMap((point) => [point, ' ']))
}

/** Adds a button with the next dates on which a sold-out vehicle is free, if there are any. */
export async function offerDates(
  { config, texts, shared }: Flow,
  place: HTMLElement,
  vehicle: Vehicle,
  { find, take }: FreeOffer,
): Promise<void> {
  const dates = await find(vehicle)
  const period = dates && shared.periodOf(config, dates)
  if (!period) return
  const { id } = vehicle.group
  const day = texts.day(period.pickupDatetime)
  const choose = button(texts.t('freeFrom', { day }), () => take(dates, id))
  choose.id = `free-${id}`
  choose.setAttribute('aria-labelledby', `free-${id} name-${id}`)
  place.append(choose)
}

/** Returns the photo, or an empty place for it if other vehicles have photos. */
function photo({ vehicles }: Search, { group }: Vehicle): HTMLElement | undefined {
  const hasPhotos = vehicles.some((other) => other.group.imageUrl)
  return hasPhotos ? photoOf(group) : undefined
}

function chooseButton(flow: Flow, search: Search, vehicle: Vehicle, attempt: Attempt) {
  const { id } = vehicle.group
  const isChosen = vehicle === chosenVehicle(flow, search)
  const choose = make(
    'button',
    {
      type: 'button',
      id: `choose-${id}`,
      className: 'primary choose',
      'aria-labelledby': `choose-${id} name-${id}`,
      'aria-describedby': `price-${id}`,
      'aria-current': isChosen ? 'true' : undefined,
    },
    flow.texts.t('select'),
  )
  choose.onclick = () => {
    flow.visit.fields[chosenGroup] = id
    flow.visit.save()
    for (const other of choose.closest('ul')?.querySelectorAll('.choose') ?? []) {
      other.ariaCurrent = other === choose ? 'true' : null
    }
    reportChoice(flow, 'vehiclechosen', search, vehicle)
    void attempt(choose, {
      progress: () => 'pricing',
      run: (wish) => flow.open('extras', wish),
      resumes: true,
    })
  }
  return choose
}

/** Returns the total, and the price of a day or a length that is not in whole days. */
function guidePrice({ texts }: Flow, search: Search, vehicle: Vehicle): (Node | string)[] {
  const guide = search.guide(vehicle)
  if (guide === undefined) return []
  const { t, money, length } = texts
  const { total, days, hours, currency } = guide
  const text =
    hours === 0
      ? mark + t('perDay', { price: money(+total / days, currency, total) })
      : t('total', { price: mark, length: length(days, hours) })
  return withPrice(text, money(total, currency))
}
