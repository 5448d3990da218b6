/** What an extra is charged by (decision 50). */
export const extraPricings = ['per_day', 'per_rental'] as const

/** An extra as the caller chose it. The cap is per unit and binds `per_day` extras only. */
export interface ChosenExtra {
  readonly id: string
  readonly name: string
  readonly pricing: (typeof extraPricings)[number]
  readonly unitMinor: bigint
  readonly maxMinor: bigint | null
  readonly quantity: number
}

/** What one chosen extra costs over the charged days, in minor units (decision 50). */
export function extraAmount(extra: ChosenExtra, chargedDays: number): bigint {
  const { pricing, unitMinor, maxMinor, quantity } = extra
  const perDay = pricing === 'per_day'
  const uncapped = perDay ? unitMinor * BigInt(chargedDays) : unitMinor
  const capped = perDay && maxMinor !== null && maxMinor < uncapped
  return (capped ? maxMinor : uncapped) * BigInt(quantity)
}
