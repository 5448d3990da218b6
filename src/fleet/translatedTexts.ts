import type { Translations } from '../domain/languages.ts'

type Fields = Readonly<Record<string, unknown>>

const prefix = 'translations'

/** Returns the name of a translated field in flat form, such as `translations.de.name`. */
export const translatedField = (language: string, field: string) =>
  [prefix, language, field].join('.')

/** Returns the fields of an entry with its translations in flat form. */
export function flattenTranslations({ [prefix]: translations, ...others }: Fields): Fields {
  const texts = Object.entries(Object(translations) as Translations).flatMap(([language, of]) =>
    Object.entries(of).map(([field, text]) => [translatedField(language, field), text] as const),
  )
  return { ...others, ...Object.fromEntries(texts) }
}

/** Reverses `flattenTranslations`. Languages and texts that are not given keep their stored values. */
export function nestTranslations(fields: Fields, stored: Translations = {}) {
  const translations: Record<string, Translations[string]> = { ...stored }
  const others: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    const [, language = '', field = ''] = name.startsWith(`${prefix}.`) ? name.split('.') : []
    if (field === '') others[name] = value
    else translations[language] = { ...translations[language], [field]: value }
  }
  return { ...others, translations }
}

/** An entry whose texts can have translations. */
export type TranslatedEntry = Fields & { readonly translations?: Translations }

/**
 * Returns an entry when the language of its own texts changes: texts with a translation into the new
 * language change places with it, so that nothing is lost.
 */
export function inLanguage<Entry extends TranslatedEntry>(
  entry: Entry,
  from: string | undefined,
  to: string | undefined,
): Entry {
  const { [to ?? '']: texts, ...others } = entry.translations ?? {}
  if (from === undefined || from === to || texts === undefined) return entry
  const former = Object.keys(texts).map((field) => [field, entry[field]])
  return { ...entry, ...texts, translations: { ...others, [from]: Object.fromEntries(former) } }
}
