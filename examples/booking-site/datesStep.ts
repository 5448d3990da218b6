import type { Shop } from './config.ts'
import { byId, make } from './dom.ts'
import { markField } from './fieldErrors.ts'
import { dateIn, daysLater, instantOf } from './stationTime.ts'
import { onSubmit } from './submit.ts'

export interface Period {
  readonly pickupDatetime: string
  readonly dropoffDatetime: string
}

const openingHour = 7
const closingHour = 21
const usualTime = '10:00'
const usualDays = 3

/** Asks when; `show` gets the period, `onChange` hears that the one shown is no longer asked for. */
export function datesStep(
  { config }: Shop,
  steps: { show(period: Period): Promise<void>; onChange(): void },
): void {
  const { timeZone } = config.shop
  const form = byId('dates-form', HTMLFormElement)
  const pickupDate = byId('pickupDate', HTMLInputElement)
  const dropoffDate = byId('dropoffDate', HTMLInputElement)
  const pickupTime = timeSelect('pickupTime')
  const dropoffTime = timeSelect('dropoffTime')

  byId('zone', HTMLElement).textContent = ` (${timeZone.replace('_', ' ')})`
  pickupDate.min = dateIn(0, timeZone)
  pickupDate.value = dateIn(1, timeZone)
  dropoffDate.value = daysLater(pickupDate.value, usualDays)
  dropoffDate.min = pickupDate.value
  pickupDate.addEventListener('change', () => {
    dropoffDate.min = pickupDate.value
    // A drop-off before the pickup is never meant: it moves along.
    if (pickupDate.value !== '' && dropoffDate.value <= pickupDate.value) {
      dropoffDate.value = daysLater(pickupDate.value, usualDays)
    }
  })
  form.addEventListener('input', steps.onChange)

  onSubmit({
    section: byId('dates', HTMLElement),
    form,
    progress: 'Looking for vehicles.',
    async run() {
      const pickup = { date: pickupDate.value, time: pickupTime.value }
      const dropoff = { date: dropoffDate.value, time: dropoffTime.value }
      const pickupDatetime = instantOf(pickup, timeZone)
      const dropoffDatetime = instantOf(dropoff, timeZone)
      if (pickupDatetime < new Date().toISOString()) return refuse(pickupTime, 'has passed')
      if (dropoffDatetime <= pickupDatetime) return refuse(dropoffTime, 'is before the pickup')
      await steps.show({ pickupDatetime, dropoffDatetime })
    },
  })
  // Pressed before, it would send the form to the page's own address and lose what was typed.
  byId('show-vehicles', HTMLButtonElement).disabled = false
}

function refuse(field: HTMLSelectElement, problem: string): void {
  markField(field, `This time ${problem}. Choose a later one.`)
  field.focus()
}

function timeSelect(id: string): HTMLSelectElement {
  const select = byId(id, HTMLSelectElement)
  for (let hour = openingHour; hour <= closingHour; hour++) {
    for (const minute of ['00', '30']) {
      select.append(make('option', {}, `${String(hour).padStart(2, '0')}:${minute}`))
    }
  }
  select.value = usualTime
  return select
}
