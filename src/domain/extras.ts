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
  return unitAmount(extra, chargedDays) * BigInt(extra.quantity)
}

function unitAmount({ pricing, unitMinor, maxMinor }: ChosenExtra, chargedDays: number): bigint {
  if (pricing === 'per_rental') return unitMinor
  const uncapped = unitMinor * BigInt(chargedDays)
  return maxMinor !== null && maxMinor < uncapped ? maxMinor : uncapped
}
