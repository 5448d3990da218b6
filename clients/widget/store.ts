import type { RentalStep as Step } from './rental-booking.d.ts'

export type { Step }

/** In their order. */
export const steps: readonly Step[] = ['dates', 'vehicle', 'extras', 'details', 'booking']

/** What was booked, as far as the API does not tell it again. */
export interface Booked {
  readonly bookingId: string
  readonly extras?: readonly string[]
  readonly pickupLocation?: string | null | undefined
  readonly dropoffLocation?: string | null | undefined
  /** Whether the page around has yet to be told what was decided. */
  undecided?: boolean
}

/** What a visitor has entered so far: kept over a reload, in this tab alone. */
export interface Visit {
  step: Step
  /** What stands in the fields, by their names. */
  readonly fields: Record<string, string>
  booked?: Booked | undefined
  /** Whether a booking was sent and nobody knows what came of it: it may have been made. */
  unsure?: boolean
}

export const emptyVisit = (): Visit => ({ step: 'dates', fields: {} })

/** Of several widgets on a page each keeps its own visit, by its name. */
export function readVisit(name: string): Visit {
  try {
    return { ...emptyVisit(), ...JSON.parse(sessionStorage.getItem(name) as string) }
  } catch {
    return emptyVisit()
  }
}

export function writeVisit(name: string, visit: Visit): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(visit))
  } catch {
    // Where a page may keep nothing, a reload starts anew.
  }
}
