import type { ChosenExtra } from './extras.ts'
import type { PriceInputs } from './priceRental.ts'
import type { Rate } from './rates.ts'

/** Increase this when a change to the price calculation gives stored inputs another price. */
const pricingVersion = 2

type Serialized<T> = { readonly [Field in keyof T]: SerializedValue<T[Field]> }
type SerializedValue<T> = T extends bigint ? string : T extends Date ? string : T

/** Price inputs as JSON, with bigints as decimal strings and instants as ISO strings. */
export interface PriceSnapshot extends Serialized<Omit<PriceInputs, 'rates' | 'extras'>> {
  readonly engine: typeof pricingVersion
  /** The rates that the price used, in the order of their days. */
  readonly rates: readonly Serialized<Rate>[]
  readonly extras: readonly Serialized<ChosenExtra>[]
}

/**
 * Returns the snapshot that a quote stores, so that later rate changes do not affect it.
 * @param usedRates as returned by `priceRental`; `inputs.rates` can hold hundreds
 */
export function takeSnapshot(inputs: PriceInputs, usedRates: readonly Rate[]): PriceSnapshot {
  // With `pickup`, one rate prices all days: the rates of the other days are not stored.
  const perDay = inputs.seasons === 'per_day'
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
      minDays: rate.minDays,
      validFrom: perDay ? rate.validFrom : null,
      validTo: perDay ? rate.validTo : null,
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
 * Restores the price inputs from a snapshot.
 * @throws RangeError for a snapshot of another pricing version
 */
export function restoreSnapshot(snapshot: PriceSnapshot): PriceInputs {
  if (snapshot.engine !== pricingVersion) {
    throw new RangeError(
      `The quote was priced with pricing version ${snapshot.engine}; this release supports version ${pricingVersion}`,
    )
  }
  const { engine: _, ...inputs } = JSON.parse(JSON.stringify(snapshot), (field, value) => {
    if (value === null) return null
    if (field.endsWith('Minor')) return BigInt(value)
    return field.endsWith('At') ? new Date(value) : value
  })
  return inputs
}
