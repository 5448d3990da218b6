import type { Booking, BookingRequest, Quote } from '../typescript/index.ts'
import type { Offer } from './offer.ts'
import type { RentalStep as Step } from './rental-booking.d.ts'

export type { Step }

export const steps: readonly Step[] = ['dates', 'vehicle', 'extras', 'details', 'booking']

/** The price and the customer of a booking. */
interface BookedDetails {
  readonly name: string
  readonly quote: Quote
  readonly customer: BookingRequest['customer']
}

/** A booking with the details that the API does not return. */
export interface Booked {
  readonly bookingId: string
  readonly extras?: readonly string[]
  readonly pickupLocation?: string | null | undefined
  readonly dropoffLocation?: string | null | undefined
  /** Whether the event `decided` has not been dispatched yet. */
  undecided?: boolean
  /** Personal data, which is not stored: a reload loses it. */
  readonly details?: BookedDetails | undefined
}

/** The part of a visit that survives a reload in the same tab. */
interface Stored {
  readonly step: Step
  readonly fields: Readonly<Record<string, string>>
  readonly booked?: Booked
  readonly unsure?: boolean
}

/** The values that a visitor has entered, and the step that the visitor has reached. */
export class Visit {
  step: Step = 'dates'
  /** Entered values by the name of their field. */
  fields: Record<string, string> = {}
  booked: Booked | undefined
  /** Whether a booking was sent and its outcome is unknown. */
  unsure = false
  /** The priced choices. A reload loses them. */
  offer: Offer | undefined
  /** The booking request that is running. */
  sending: Promise<Booking> | undefined
  readonly #name: string

  /** Reads the visit that the tab stores under a name. */
  constructor(name: string) {
    this.#name = name
    try {
      const stored: Partial<Stored> = JSON.parse(sessionStorage.getItem(name) ?? '{}')
      Object.assign(this, stored)
    } catch {}
  }

  /** Stores the visit. Without storage, a reload starts a new visit. */
  save(): void {
    const { step, fields, booked, unsure } = this
    try {
      const known = booked && { ...booked, details: undefined }
      const stored = JSON.stringify({ step, fields, booked: known, unsure })
      sessionStorage.setItem(this.#name, stored)
    } catch {}
  }

  /** Deletes all entered values, or replaces them by a booking. */
  reset(booked?: Booked): void {
    this.step = booked === undefined ? 'dates' : 'booking'
    this.fields = {}
    this.booked = booked
    this.unsure = false
    this.offer = undefined
    this.save()
  }
}

const visits = new Map<string, Visit>()

/** Returns the visit of a name. A widget that replaces another one continues its visit. */
export function visitOf(name: string): Visit {
  const visit = visits.get(name) ?? new Visit(name)
  visits.set(name, visit)
  return visit
}
