/** The texts of an entry in one language. What is missing has no translation. */
export interface Texts {
  readonly name?: string | null | undefined
  readonly category?: string | null | undefined
  readonly description?: string | null | undefined
  readonly address?: string | null | undefined
  readonly facts?: readonly string[] | null | undefined
}

/** The texts of an entry by language tag. */
export type Translations = Readonly<Record<string, Texts>>

const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/**
 * Returns the canonical form of a BCP 47 tag, such as `de-CH` for `DE-ch`; undefined for an invalid
 * tag or an unknown language.
 */
export function canonicalLanguage(tag: string): string | undefined {
  try {
    const [canonical = ''] = Intl.getCanonicalLocales(tag)
    return languageNames.of(canonical) === undefined ? undefined : canonical
  } catch {
    return undefined
  }
}

/** Limits subtags: each of them costs a look-up. */
const ofHeader = /^([a-z]{1,8}(?:-[a-z\d]{1,8}){0,8}|\*)(?:;q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/

/**
 * Returns the language for an `Accept-Language` header (weights of RFC 9110, 12.5.4), each of its
 * ranges looked up by truncation (RFC 4647, 3.4), then in another region. `*`, and a header without
 * a match, choose `own`.
 */
export function chooseLanguage(header: string, own: string, translated: Iterable<string>): string {
  const languages = new Map([own, ...translated].map((tag) => [tag.toLowerCase(), tag]))
  let best = { language: own, weight: 0 }
  for (const entry of header.toLowerCase().split(',')) {
    const [, range = '', quality = '1'] = ofHeader.exec(entry.replace(/[ \t]+/g, '')) ?? []
    const weight = Number(quality)
    if (weight <= best.weight) continue
    const language = range === '*' ? own : findLanguage(range, languages)
    if (language !== undefined) best = { language, weight }
    if (weight === 1 && language !== undefined) break
  }
  return best.language
}

/** Written Norwegian, by the languages that its readers can read instead. */
const norwegian: Readonly<Record<string, readonly string[]>> = {
  no: ['nb', 'nn'],
  nb: ['no'],
  nn: ['nb', 'no'],
}

function findLanguage(range: string, languages: ReadonlyMap<string, string>) {
  for (const wanted of [range, ...(norwegian[primaryOf(range)] ?? [])]) {
    const found = lookUp(wanted, languages) ?? findRegion(wanted, languages)
    if (found !== undefined) return found
  }
  return undefined
}

const primaryOf = (tag: string) => tag.split('-', 1)[0] ?? ''

/** Finds a tag of the same language and script, such as `pt-BR` for `pt-PT`. */
function findRegion(range: string, languages: ReadonlyMap<string, string>) {
  const primary = primaryOf(range)
  for (const [tag, language] of languages) {
    if (primaryOf(tag) === primary && scriptOf(tag) === scriptOf(range)) return language
  }
  return undefined
}

function scriptOf(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).maximize().script
  } catch {
    return undefined
  }
}

/** Removes subtags from the end of a range, and single letters before them, until a tag matches. */
function lookUp(range: string, languages: ReadonlyMap<string, string>) {
  for (let tag = range; tag !== ''; tag = tag.replace(/(-[a-z\d])?(-[a-z\d]+|^[a-z]+)$/, '')) {
    const found = languages.get(tag)
    if (found !== undefined) return found
  }
  return undefined
}
