import type { ChosenExtra } from './extras.ts'
import type { PriceInputs } from './pricing.ts'
import type { Rate } from './rates.ts'

/** Raised when a change of the engine would price old inputs differently. */
const engine = 1

/** Plain JSON: bigints as decimal strings of minor units, instants as ISO strings. */
export interface FrozenInputs {
  readonly engine: typeof engine
  readonly pickupAt: string
  readonly dropoffAt: string
  readonly timeZone: string
  readonly gracePeriodMinutes: number
  readonly currency: string
  readonly rate: Frozen<Rate>
  readonly extras: readonly Frozen<ChosenExtra>[]
  readonly taxPercent: string
  readonly pricesIncludeTax: boolean
}

type Frozen<T> = { readonly [Field in keyof T]: FrozenValue<T[Field]> }
type FrozenValue<T> = T extends bigint ? string : T

/** What a quote keeps, so that no later change of the rate card touches it (decision 53). */
export function freezeInputs(inputs: PriceInputs): FrozenInputs {
  return {
    engine,
    pickupAt: inputs.pickupAt.toISOString(),
    dropoffAt: inputs.dropoffAt.toISOString(),
    timeZone: inputs.timeZone,
    gracePeriodMinutes: inputs.gracePeriodMinutes,
    currency: inputs.currency,
    rate: {
      id: inputs.rate.id,
      name: inputs.rate.name,
      currency: inputs.rate.currency,
      dailyMinor: inputs.rate.dailyMinor.toString(),
      hourlyMinor: frozenMinor(inputs.rate.hourlyMinor),
      weeklyMinor: frozenMinor(inputs.rate.weeklyMinor),
      monthlyMinor: frozenMinor(inputs.rate.monthlyMinor),
      validFrom: inputs.rate.validFrom,
      validTo: inputs.rate.validTo,
    },
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

/** The inputs as they were; refuses those of an engine this one cannot repeat (decision 53). */
export function thawInputs(frozen: FrozenInputs): PriceInputs {
  if (frozen.engine !== engine) {
    throw new RangeError(`Inputs of engine ${frozen.engine}; this is engine ${engine}`)
  }
  const { engine: _, rate, ...unchanged } = frozen
  return {
    ...unchanged,
    pickupAt: new Date(frozen.pickupAt),
    dropoffAt: new Date(frozen.dropoffAt),
    rate: {
      ...rate,
      dailyMinor: BigInt(rate.dailyMinor),
      hourlyMinor: thawedMinor(rate.hourlyMinor),
      weeklyMinor: thawedMinor(rate.weeklyMinor),
      monthlyMinor: thawedMinor(rate.monthlyMinor),
    },
    extras: frozen.extras.map((extra) => ({
      ...extra,
      unitMinor: BigInt(extra.unitMinor),
      maxMinor: thawedMinor(extra.maxMinor),
    })),
  }
}

function frozenMinor(minor: bigint | null): string | null {
  return minor === null ? null : minor.toString()
}

function thawedMinor(minor: string | null): bigint | null {
  return minor === null ? null : BigInt(minor)
}
