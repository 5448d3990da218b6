import type { FrozenInputs, FrozenRate } from './frozenInputs.ts'
import { minuteMs } from './units.ts'
import { wallClockMs } from './zone.ts'

/** What engine 1 froze: the rate of the pickup date, which priced the whole rental. */
export interface FormerInputs extends Omit<FrozenInputs, 'engine' | 'seasons' | 'rates'> {
  readonly engine: 1
  readonly rate: FrozenRate
}

/**
 * The same price in the terms of the engine of today. For engine 1 the length was the difference
 * that the wall clock showed, or what had passed where that clock had not moved on. It is what
 * passes in a zone whose clock is never changed, once the readings are taken for instants of it.
 */
export function inPresentTerms({ engine: _, rate, ...former }: FormerInputs): FrozenInputs {
  const [pickupAt, dropoffAt] = [new Date(former.pickupAt), new Date(former.dropoffAt)]
  const shownMs = wallClockMs(pickupAt, former.timeZone)
  const wallMs = wallClockMs(dropoffAt, former.timeZone) - shownMs
  const lengthMs = wallMs > 0 ? wallMs : dropoffAt.getTime() - pickupAt.getTime()
  const minutes = Math.ceil(lengthMs / minuteMs)
  return {
    ...former,
    engine: 2,
    pickupAt: new Date(shownMs).toISOString(),
    dropoffAt: new Date(shownMs + minutes * minuteMs).toISOString(),
    timeZone: 'UTC',
    seasons: 'pickup',
    // It was asked about the pickup date only, and was found to be valid on it.
    rates: [{ ...rate, validFrom: null, validTo: null }],
  }
}
