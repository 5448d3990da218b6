import { chooseLanguage, type Texts } from '../languages.ts'
import type { StationHours } from '../openingHours.ts'
import type { ChosenExtra } from './extras.ts'
import type { PriceInputs } from './priceRental.ts'
import type { Rate } from './rates.ts'

/** A vehicle class and its rates, in the order of the rate list. */
interface GroupOffer {
  readonly id: string
  readonly name: string
  readonly category: string
  readonly description: string | null
  readonly imageUrl: string | null
  readonly currency: string
  readonly rates: readonly Rate[]
}

interface ExtraOffer extends Omit<ChosenExtra, 'quantity'> {
  readonly currency: string
}

/** Everything a tenant offers, in one version. */
export interface Catalog {
  readonly version: string
  /** The tenant's settings that are part of every price. */
  readonly terms: Omit<PriceInputs, 'pickupAt' | 'dropoffAt' | 'currency' | 'rates' | 'extras'>
  /** The minimum time between the request and the pickup. Null allows pickups in the past. */
  readonly minLeadMinutes: number | null
  readonly hours: StationHours
  readonly groups: readonly GroupOffer[]
  readonly groupsById: ReadonlyMap<string, GroupOffer>
  readonly extrasById: ReadonlyMap<string, ExtraOffer>
  /** The language of all texts but the translations. */
  readonly language: string
  /** The translated texts by language, each by the id of its group, rate or extra. */
  readonly translations: ReadonlyMap<string, TextsById>
  /** The number of groups, rates and extras in all languages, as an estimate of memory use. */
  readonly rowCount: number
}

export type TextsById = ReadonlyMap<string, Texts>

/**
 * Returns the language for an `Accept-Language` header and its translated texts. Returns undefined if
 * the catalog has no translations: the header then changes nothing.
 */
export function textsFor({ language: own, translations }: Catalog, acceptLanguage = '') {
  if (translations.size === 0) return undefined
  const language = chooseLanguage(acceptLanguage, own, translations.keys())
  return { language, texts: translations.get(language) ?? new Map<string, Texts>() }
}

/** Returns an entry with its texts in another language. Texts without a translation stay. */
export function translate<Entry extends { readonly id: string }>(
  entry: Entry,
  texts: TextsById | undefined,
): Entry {
  const translated = texts?.get(entry.id)
  return translated === undefined ? entry : { ...entry, ...translated }
}
