import { type FormerInputs, inPresentTerms } from './formerQuotes.ts'
import { engine, type FrozenInputs, type FrozenRate } from './frozenInputs.ts'
import type { PriceInputs } from './pricing.ts'
import type { Rate } from './rates.ts'

/** What the database may hold: quotes outlive releases. */
export type StoredInputs = FrozenInputs | FormerInputs

/**
 * What a quote keeps, so that no later change of the rate card touches it (decision 53).
 * @param usedRates as `priceRental` told them: the card may hold hundreds
 */
export function freezeInputs(inputs: PriceInputs, usedRates: readonly Rate[]): FrozenInputs {
  return {
    engine,
    pickupAt: inputs.pickupAt.toISOString(),
    dropoffAt: inputs.dropoffAt.toISOString(),
    timeZone: inputs.timeZone,
    gracePeriodMinutes: inputs.gracePeriodMinutes,
    currency: inputs.currency,
    seasons: inputs.seasons,
    rates: usedRates.map((rate) => ({
      id: rate.id,
      name: rate.name,
      currency: rate.currency,
      dailyMinor: rate.dailyMinor.toString(),
      hourlyMinor: frozenMinor(rate.hourlyMinor),
      weeklyMinor: frozenMinor(rate.weeklyMinor),
      monthlyMinor: frozenMinor(rate.monthlyMinor),
      validFrom: rate.validFrom,
      validTo: rate.validTo,
    })),
    extras: inputs.extras.map((extra) => ({
      id: extra.id,
      name: extra.name,
      pricing: extra.pricing,
      unitMinor: extra.unitMinor.toString(),
      maxMinor: frozenMinor(extra.maxMinor),
      quantity: extra.quantity,
    })),
    taxPercent: inputs.taxPercent,
    pricesIncludeTax: inputs.pricesIncludeTax,
  }
}

/**
 * The inputs as they were, those of engine 1 in the terms of today.
 * @throws RangeError for inputs of a later engine, which this one cannot repeat (decision 53)
 */
export function thawInputs(stored: StoredInputs): PriceInputs {
  const frozen = stored.engine === 1 ? inPresentTerms(stored) : stored
  if (frozen.engine !== engine) {
    throw new RangeError(`Inputs of engine ${frozen.engine}; this is engine ${engine}`)
  }
  const { engine: _, ...unchanged } = frozen
  return {
    ...unchanged,
    pickupAt: new Date(frozen.pickupAt),
    dropoffAt: new Date(frozen.dropoffAt),
    rates: frozen.rates.map(thawRate),
    extras: frozen.extras.map((extra) => ({
      ...extra,
      unitMinor: BigInt(extra.unitMinor),
      maxMinor: thawedMinor(extra.maxMinor),
    })),
  }
}

function thawRate(rate: FrozenRate): Rate {
  return {
    ...rate,
    dailyMinor: BigInt(rate.dailyMinor),
    hourlyMinor: thawedMinor(rate.hourlyMinor),
    weeklyMinor: thawedMinor(rate.weeklyMinor),
    monthlyMinor: thawedMinor(rate.monthlyMinor),
  }
}

function frozenMinor(minor: bigint | null): string | null {
  return minor === null ? null : minor.toString()
}

function thawedMinor(minor: string | null): bigint | null {
  return minor === null ? null : BigInt(minor)
}
