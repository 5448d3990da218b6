import { chosenVehicle } from '../choices.ts'
import type { Fields } from '../config.ts'
import type { Flow } from '../flow.ts'
import type { PeriodError } from '../period.ts'
import { button, make } from '../ui/dom.ts'
import { catalogName, section } from '../ui/parts.ts'
import type { Task } from '../ui/types.ts'
import { reportChoice, reportSearch } from './choiceEvents.ts'
import { freeDates } from './freeFrom.ts'
import { offerDates } from './vehicleCard.ts'

/**
 * Returns the step for the only vehicle of the page, with an open calendar and the price. `wrong`: what is
 * wrong with the entered period.
 */
export function onlyVehicleStep(flow: Flow, wrong?: PeriodError): HTMLElement {
  const { config, texts, visit, only, shared } = flow
  const { onSubmit, openInline, periodError, periodOf } = shared
  const { t, money, length } = texts
  const [form, place] = [make('form'), make('div', { className: 'inline' })]
  const summary = make('p')
  const find = freeDates(flow, flow.shown)
  const { attempt } = onSubmit(flow, {
    form,
    summary,
    onward: t('onward'),
    progress: () => 'pricing',
    resumes: true,
    async run(wish) {
      const error = periodError(config, visit.fields)
      if (error) await openInline(flow, place, wish, change, error)
      else {
        await flow.open('extras', wish)
        const { found } = flow
        const vehicle = found && chosenVehicle(flow, found)
        if (vehicle) reportChoice(flow, 'vehiclechosen', found, vehicle)
      }
    },
  })
  const pricing: Task = {
    resumes: true,
    async run(wish) {
      const period = periodOf(config, visit.fields)
      if (!period) return
      const found = await flow.search(period, only, wish, only)
      wish.throwIfAborted()
      flow.found = found
      reportSearch(flow, found)
      const [vehicle] = found.vehicles
      if (!vehicle) return flow.open('dates', wish)
      const guide = found.guide(vehicle)
      const price = guide && money(guide.total, guide.currency)
      const total = guide && price && t('total', { price, length: length(guide.days, guide.hours) })
      const { available } = vehicle.availability
      const text = make('strong', {}, available ? total : t('soldOut'))
      const offer = make('span')
      summary.replaceChildren(catalogName(flow, vehicle.group.name), text, offer)
      if (!available) void offerDates(flow, offer, vehicle, { find, take })
    },
  }
  const again = button('', () => attempt(again, pricing))
  const change = (dates: Fields) => {
    Object.assign(visit.fields, dates)
    visit.save()
    // Ends the search for the dates before.
    flow.wish()
    again.click()
  }
  const open = (error?: PeriodError) =>
    void attempt(
      button('', () => {}),
      { run: (wish) => openInline(flow, place, wish, change, error), resumes: true },
    )
  // The calendar shows the new dates and asks for their price.
  const take = (dates: Fields) => {
    Object.assign(visit.fields, dates)
    open()
  }
  const step = section(t('titleDates'), place, shared.stationLine(flow), form)
  step.addEventListener('shown', () => open(wrong))
  return step
}
