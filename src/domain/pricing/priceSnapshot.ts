import type { ChosenExtra } from './extras.ts'
import type { PriceInputs } from './priceRental.ts'
import type { Rate } from './rates.ts'

/** Raised when a change of the engine would price old inputs differently. */
const pricingVersion = 1

type Frozen<T> = { readonly [Field in keyof T]: FrozenValue<T[Field]> }
type FrozenValue<T> = T extends bigint ? string : T extends Date ? string : T

/** Plain JSON: bigints as decimal strings of minor units, instants as ISO strings. */
export interface PriceSnapshot extends Frozen<Omit<PriceInputs, 'rates' | 'extras'>> {
  readonly engine: typeof pricingVersion
  /** Those that the price depends on, in the order of their days. */
  readonly rates: readonly Frozen<Rate>[]
  readonly extras: readonly Frozen<ChosenExtra>[]
}

/**
 * What a quote keeps, so that no later change of the rate card touches it (decision 53).
 * @param usedRates as `priceRental` told them: the card may hold hundreds
 */
export function takeSnapshot(inputs: PriceInputs, usedRates: readonly Rate[]): PriceSnapshot {
  return {
    engine: pricingVersion,
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
      hourlyMinor: rate.hourlyMinor?.toString() ?? null,
      weeklyMinor: rate.weeklyMinor?.toString() ?? null,
      monthlyMinor: rate.monthlyMinor?.toString() ?? null,
      validFrom: rate.validFrom,
      validTo: rate.validTo,
    })),
    extras: inputs.extras.map((extra) => ({
      id: extra.id,
      name: extra.name,
      pricing: extra.pricing,
      unitMinor: extra.unitMinor.toString(),
      maxMinor: extra.maxMinor?.toString() ?? null,
      quantity: extra.quantity,
    })),
    taxPercent: inputs.taxPercent,
    pricesIncludeTax: inputs.pricesIncludeTax,
  }
}

/**
 * The inputs as they were.
 * @throws RangeError for inputs of a later engine, which this one cannot repeat (decision 53)
 */
export function restoreSnapshot(snapshot: PriceSnapshot): PriceInputs {
  if (snapshot.engine !== pricingVersion) {
    throw new RangeError(`Inputs of engine ${snapshot.engine}; this is engine ${pricingVersion}`)
  }
  const { engine: _, ...inputs } = JSON.parse(JSON.stringify(snapshot), (field, value) => {
    if (value === null) return null
    if (field.endsWith('Minor')) return BigInt(value)
    return field.endsWith('At') ? new Date(value) : value
  })
  return inputs
}
