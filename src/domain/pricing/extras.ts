export const extraPricings = ['per_day', 'per_rental'] as const

/** An extra with the requested quantity. `maxMinor` is per unit and applies to `per_day` only. */
export interface ChosenExtra {
  readonly id: string
  readonly name: string
  readonly pricing: (typeof extraPricings)[number]
  readonly unitMinor: bigint
  readonly maxMinor: bigint | null
  readonly quantity: number
}

/** Returns the price of an extra over the charged days, in minor units. */
export function extraAmount(extra: ChosenExtra, chargedDays: number): bigint {
  const { pricing, unitMinor, maxMinor, quantity } = extra
  const perDay = pricing === 'per_day'
  const uncapped = perDay ? unitMinor * BigInt(chargedDays) : unitMinor
  const capped = perDay && maxMinor !== null && maxMinor < uncapped
  return (capped ? maxMinor : uncapped) * BigInt(quantity)
}
