import { type Booking, RentalApiError } from '../typescript/index.ts'
import { chosenGroup, chosenVehicle, extrasFor } from './choices.ts'
import type { Period } from './config.ts'
import type { Flow } from './flow.ts'
import { currentOffer, type Offer, unknownOutcome } from './offer.ts'
import { periodOf } from './period.ts'
import { datesStep } from './steps/dates.ts'
import type { Search } from './vehicles.ts'
import type { Booked, Step } from './visit.ts'

/** A step whose data is loaded. `build` renders it and starts its timers and polling. */
export interface Page {
  readonly step: Step
  build(): HTMLElement
}

/**
 * Loads a step, or the last earlier step if data for the step is missing. `known`: the booking, if it
 * need not be requested.
 */
export async function loadPage(flow: Flow, step: Step, known?: Booking): Promise<Page> {
  const { booked, unsure, offer } = flow.visit
  if (step === 'booking' && booked) return bookingPage(flow, booked, known)
  // While the outcome is unknown, keep the offer: a new quote could lead to a second booking.
  if (step === 'details' && unsure) return detailsPage(flow, offer)
  const period = periodOf(flow)
  if (step === 'dates' || step === 'booking' || period === undefined) return datesPage(flow)
  return choicePage(flow, step, period)
}

function datesPage(flow: Flow, hasPassed = false): Page {
  return { step: 'dates', build: () => datesStep(flow, hasPassed) }
}

/** Loads the vehicles, and the extras or the price if a vehicle is chosen. */
async function choicePage(flow: Flow, step: Step, period: Period): Promise<Page> {
  const { visit, clock } = flow
  const [search, steps] = await Promise.all([searchIn(flow, period), laterSteps()])
  if (clock.secondsUntil(period.pickupDatetime) < 0) return datesPage(flow, true)
  const vehicle = chosenVehicle(flow, search)
  if (step === 'vehicle' || vehicle === undefined) {
    return { step: 'vehicle', build: () => steps.vehicleStep(flow, search) }
  }
  const hasExtras = extrasFor(flow, vehicle).length > 0
  if (step === 'extras' && hasExtras) {
    return { step, build: () => steps.extrasStep(flow, search, vehicle) }
  }
  const offer = visit.unsure ? visit.offer : await currentOffer(flow, period, vehicle)
  if (offer) offer.back = hasExtras ? 'extras' : 'vehicle'
  return detailsPage(flow, offer)
}

/** Returns the last search if it is of this period, unless the visitor comes from the dates. */
async function searchIn(flow: Flow, period: Period): Promise<Search> {
  const { step, fields } = flow.visit
  const isSame = JSON.stringify(flow.found?.period) === JSON.stringify(period)
  if (flow.found && isSame && step !== 'dates') return flow.found
  flow.found = await flow.search(period, fields[chosenGroup])
  return flow.found
}

/** @throws RentalApiError if the outcome of a booking is unknown and a reload lost its offer */
async function detailsPage(flow: Flow, offer: Offer | undefined): Promise<Page> {
  if (offer === undefined) throw unknownOutcome()
  const { detailsStep } = await laterSteps()
  const build = () => {
    flow.visit.offer = offer
    return detailsStep(flow, offer)
  }
  return { step: 'details', build }
}

async function bookingPage(flow: Flow, booked: Booked, known?: Booking): Promise<Page> {
  const { rental, signal } = flow
  const booking = known ?? (await rental.getBooking(booked.bookingId, { signal }))
  const { bookingStep } = await laterSteps()
  // The booking can be shown without its vehicle class.
  const groups = await rental.listAssetGroups({ signal }).catch(() => [])
  const group = groups.find(({ id }) => id === booking.assetGroupId)
  return { step: 'booking', build: () => bookingStep(flow, { booking, booked, group }) }
}

/** @throws RentalApiError with the code NETWORK_ERROR */
const laterSteps = () =>
  import('./lazy/steps.ts').catch((cause) => {
    const message = 'A part of the widget could not be loaded.'
    throw new RentalApiError({ status: 0, code: 'NETWORK_ERROR', message, cause })
  })
