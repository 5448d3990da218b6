import type { Flow } from './flow.ts'
import type { ChosenExtra } from './lazy/guide.ts'
import type { RentalExtra } from './rental-booking.d.ts'
import type { Search, Vehicle } from './vehicles.ts'

/** The key of the chosen vehicle in the fields of the visit. */
export const chosenGroup = 'assetGroupId'

/** Returns the chosen vehicle, if it is available. */
export const chosenVehicle = ({ visit }: Flow, { vehicles }: Search): Vehicle | undefined =>
  vehicles.find(
    ({ group, availability }) => availability.available && group.id === visit.fields[chosenGroup],
  )

/** Returns the currency of the vehicle's rates, or the tenant's if the rates are unavailable. */
export const currencyOf = ({ config }: Flow, { rates }: Vehicle) =>
  rates?.[0]?.currency ?? config.currency

/** Returns the extras in the vehicle's currency. The API rejects all others in a quote. */
export function extrasFor(flow: Flow, vehicle: Vehicle): readonly RentalExtra[] {
  const known = currencyOf(flow, vehicle)
  const isFit = ({ currency = known }: RentalExtra) => !known || currency === known
  return (flow.config.extras ?? []).filter(isFit).map((extra) => translated(extra, flow.texts.lang))
}

type Translations = Readonly<Record<string, object>> | null | undefined

/** Returns a part of the config with its texts in a language, where it has them. */
export function translated<Part extends { readonly translations?: Translations }>(
  part: Part,
  lang: string,
): Part {
  const { translations } = part
  const texts = translations?.[lang] ?? translations?.[lang.split('-')[0] ?? ''] ?? {}
  const known = Object.entries(texts).filter(([, text]) => text)
  return { ...part, ...Object.fromEntries(known) }
}

export const extraField = ({ id }: RentalExtra) => `extra-${id}`
export const maxOf = ({ quantityMax = 5 }: RentalExtra) => quantityMax

/** Returns the chosen quantity, at most the current maximum: the page may have lowered it. */
export function quantityOf({ visit }: Flow, extra: RentalExtra): number {
  const entered = Math.trunc(Number(visit.fields[extraField(extra)] ?? 0)) || 0
  return Math.max(0, Math.min(entered, maxOf(extra)))
}

/** Returns the chosen extras that are offered with the vehicle. */
export const chosenExtras = (flow: Flow, vehicle: Vehicle): ChosenExtra[] =>
  extrasFor(flow, vehicle)
    .map((extra) => ({ extra, quantity: quantityOf(flow, extra) }))
    .filter(({ quantity }) => quantity > 0)
