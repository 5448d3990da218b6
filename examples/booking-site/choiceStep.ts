import type { QuoteRequest } from '../../clients/typescript/index.ts'
import type { Extra, Shop } from './config.ts'
import type { Period } from './datesStep.ts'
import { byId, goTo, make, markStep } from './dom.ts'
import { moment, money } from './format.ts'
import { onSubmit } from './submit.ts'
import { findVehicles, type Vehicle, vehicleCard } from './vehicles.ts'

/** What is to be quoted, and its name. */
export interface Choice {
  readonly request: QuoteRequest
  readonly name: string
}

export interface ChoiceStep {
  show(period: Period): Promise<void>
  hide(): void
  /** Asks for a price again, as if the button had been pressed. */
  quote(): void
}

const quantityMax = 9

/** Vehicle and extras; `quote` gets what was chosen. */
export function choiceStep(
  { rental, config }: Shop,
  steps: { quote(choice: Choice): Promise<void>; onChange(): void },
): ChoiceStep {
  const section = byId('vehicles', HTMLElement)
  const form = byId('choice-form', HTMLFormElement)
  const list = byId('vehicle-list', HTMLElement)
  let shown: { readonly period: Period; readonly vehicles: readonly Vehicle[] } | undefined

  byId('extra-list', HTMLElement).append(
    ...config.extras.map((extra) => extraField(extra, config.shop.currency)),
  )
  byId('extras', HTMLElement).hidden = config.extras.length === 0
  form.addEventListener('input', steps.onChange)

  function chosen(): Choice | undefined {
    const data = new FormData(form)
    const id = data.get('assetGroupId')
    const vehicle = shown?.vehicles.find(({ group }) => group.id === id)
    if (shown === undefined || vehicle === undefined) return undefined
    const extras = config.extras
      .map((extra) => ({ extraId: extra.id, quantity: Number(data.get(fieldName(extra))) }))
      .filter(({ quantity }) => quantity > 0)
    const request = { assetGroupId: vehicle.group.id, ...shown.period, extras }
    return { request, name: vehicle.group.name }
  }
  const quote = onSubmit({
    section,
    form,
    progress: 'Working out your price.',
    async run() {
      const choice = chosen()
      if (choice !== undefined) await steps.quote(choice)
    },
  })
  return {
    quote,
    hide() {
      section.hidden = true
    },
    async show(period) {
      const before = new FormData(form).get('assetGroupId')
      const vehicles = await findVehicles(rental, period, config.shop.timeZone)
      shown = { period, vehicles }
      list.replaceChildren(...vehicles.map(vehicleCard))
      preselect(list, before)
      byId('period', HTMLElement).textContent = describePeriod(period, config.shop.timeZone)
      markStep('Vehicle')
      goTo(section)
    },
  }
}

/** What was chosen before, if it can still be had. */
function preselect(list: HTMLElement, value: FormDataEntryValue | null): void {
  for (const input of list.querySelectorAll('input')) {
    input.checked = input.value === value && !input.disabled
  }
}

function describePeriod({ pickupDatetime, dropoffDatetime }: Period, timeZone: string): string {
  return `${moment(pickupDatetime, timeZone)} to ${moment(dropoffDatetime, timeZone)}`
}

const fieldName = ({ id }: Extra) => `extra-${id}`

function extraField(extra: Extra, currency: string): HTMLElement {
  const name = fieldName(extra)
  const select = make('select', { id: name, name })
  for (let quantity = 0; quantity <= quantityMax; quantity++) {
    select.append(make('option', {}, String(quantity)))
  }
  const per = extra.pricing === 'per_day' ? 'a day' : 'a rental'
  const price = make('span', { className: 'price' }, `${money(extra.price, currency)} ${per}`)
  return make('label', { className: 'extra' }, make('span', {}, extra.name, price), select)
}
