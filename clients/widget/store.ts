import type { RentalStep as Step } from './rental-booking.d.ts'

export type { Step }

export const steps: readonly Step[] = ['dates', 'vehicle', 'extras', 'details', 'booking']

/** A booking with the details that the API does not return. */
export interface Booked {
  readonly bookingId: string
  readonly extras?: readonly string[]
  readonly pickupLocation?: string | null | undefined
  readonly dropoffLocation?: string | null | undefined
  /** Whether the event `decided` has not been dispatched yet. */
  undecided?: boolean
}

/** The state of a visit. It survives a reload in the same tab. */
export interface Visit {
  step: Step
  readonly fields: Record<string, string>
  booked?: Booked | undefined
  /** Whether a booking was sent and its outcome is unknown. */
  unsure?: boolean
}

export const emptyVisit = (): Visit => ({ step: 'dates', fields: {} })

/** Reads the visit that is stored under a name; an empty visit if there is none. */
export function readVisit(name: string): Visit {
  try {
    return { ...emptyVisit(), ...JSON.parse(sessionStorage.getItem(name) as string) }
  } catch {
    return emptyVisit()
  }
}

/** Stores a visit under a name. Without storage, a reload starts a new visit. */
export function writeVisit(name: string, visit: Visit): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(visit))
  } catch {}
}
