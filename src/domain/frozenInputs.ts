import type { ChosenExtra } from './extras.ts'
import type { PriceInputs } from './pricing.ts'
import type { Rate } from './rates.ts'

/** Raised when a change of the engine would price old inputs differently. */
export const engine = 2

type Frozen<T> = { readonly [Field in keyof T]: FrozenValue<T[Field]> }
type FrozenValue<T> = T extends bigint ? string : T extends Date ? string : T

export type FrozenRate = Frozen<Rate>

/** Plain JSON: bigints as decimal strings of minor units, instants as ISO strings. */
export interface FrozenInputs extends Frozen<Omit<PriceInputs, 'rates' | 'extras'>> {
  readonly engine: typeof engine
  /** Those that the price depends on, in the order of their days. */
  readonly rates: readonly FrozenRate[]
  readonly extras: readonly Frozen<ChosenExtra>[]
}
