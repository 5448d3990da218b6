import type { Booking } from '../typescript/index.ts'
import { chosenGroup, chosenVehicle, extrasFor } from './choices.ts'
import type { Period } from './config.ts'
import type { Flow } from './flow.ts'
import { loadSteps } from './loadSteps.ts'
import { fillPeriod, type PeriodError, periodError, periodOf } from './period.ts'
import { datesStep } from './steps/dates.ts'
import { isOfPeriod, type Search } from './vehicles.ts'
import type { Booked, Offer, Step } from './visit.ts'

/** A step whose data is loaded. `build` renders it and starts its timers and polling. */
export interface Page {
  readonly step: Step
  build(): HTMLElement
}

/**
 * Loads a step, or the last earlier step if data for the step is missing. `known`: the booking, if it
 * need not be requested.
 */
export async function loadPage(
  flow: Flow,
  step: Step,
  wish: AbortSignal,
  known?: Booking,
): Promise<Page> {
  const { config, visit } = flow
  const { booked, sent, offer, fields } = visit
  if (step === 'booking' && booked) return bookingPage(flow, booked, wish, known)
  // While the outcome is unknown, keep the offer: another quote could lead to a second booking.
  if (sent && offer) return detailsPage(flow, offer, wish)
  if (flow.only) fillPeriod(config, fields)
  const period = periodOf(config, fields)
  if ((step === 'dates' && !flow.only) || step === 'booking' || period === undefined)
    return datesPage(flow)
  return choicePage(flow, step, period, wish)
}

function datesPage(flow: Flow, wrong?: PeriodError): Page {
  return { step: 'dates', build: () => datesStep(flow, wrong) }
}

/** Loads the vehicles, and the extras or the price if a vehicle is chosen. */
async function choicePage(
  flow: Flow,
  step: Step,
  period: Period,
  wish: AbortSignal,
): Promise<Page> {
  const [search, steps] = await Promise.all([searchIn(flow, period, wish), loadSteps(wish)])
  const chooseDates = (wrong?: PeriodError): Page =>
    flow.only
      ? { step: 'dates', build: () => steps.onlyVehicleStep(flow, wrong) }
      : datesPage(flow, wrong)
  if (flow.clock.secondsUntil(period.pickupDatetime) < 0) {
    return chooseDates(['pickupDate', 'passed'])
  }
  // The station's hours may have changed since the period was entered.
  const wrong = periodError(flow.config, flow.visit.fields)
  if (wrong) return chooseDates(wrong)
  if (flow.only && search.vehicles.length === 0) {
    flow.only = undefined
    flow.found = undefined
    delete flow.visit.fields[chosenGroup]
    const all = await searchIn(flow, period, wish)
    return { step: 'vehicle', build: () => steps.vehicleStep(flow, all, true) }
  }
  const vehicle = chosenVehicle(flow, search)
  const isAsked = step === 'extras' || step === 'details'
  if (flow.only && !(vehicle && isAsked)) return chooseDates()
  if (step === 'vehicle' || vehicle === undefined) {
    return { step: 'vehicle', build: () => steps.vehicleStep(flow, search) }
  }
  if (step === 'extras' && extrasFor(flow, vehicle).length > 0) {
    return { step, build: () => steps.extrasStep(flow, search, vehicle) }
  }
  return detailsPage(flow, await steps.currentOffer(flow, period, vehicle, wish), wish)
}

/** Returns the last search if it is of this period, unless the visitor comes from the dates. */
async function searchIn(flow: Flow, period: Period, wish: AbortSignal): Promise<Search> {
  const { step, fields } = flow.visit
  if (flow.found && isOfPeriod(flow.found, period) && step !== 'dates') return flow.found
  const found = await flow.search(period, fields[chosenGroup], wish, flow.only)
  wish.throwIfAborted()
  flow.found = found
  return found
}

async function detailsPage(flow: Flow, offer: Offer, wish: AbortSignal): Promise<Page> {
  const { detailsStep } = await loadSteps(wish)
  const build = () => {
    flow.visit.offer = offer
    return detailsStep(flow, offer)
  }
  return { step: 'details', build }
}

async function bookingPage(
  flow: Flow,
  booked: Booked,
  signal: AbortSignal,
  known?: Booking,
): Promise<Page> {
  const { rental } = flow
  const booking = known ?? (await rental.getBooking(booked.bookingId, { signal }))
  const { bookingStep } = await loadSteps(signal)
  // The booking can be shown without its vehicle class.
  const groups = await rental.listAssetGroups({ signal }).catch(() => [])
  const group = groups.find(({ id }) => id === booking.assetGroupId)
  return { step: 'booking', build: () => bookingStep(flow, { booking, booked, group }) }
}
