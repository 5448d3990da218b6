/** The characters that keyboards and word processors write for an apostrophe. */
const apostrophe =
  /[`\u00b4\u02b9\u02bb\u02bc\u02bd\u055a\u05f3\u2018\u2019\u201b\u2032\u2035\ua78c\uff07]/g

/** Characters that cannot be seen and have no meaning inside a line. Joiners between letters have. */
const invisible = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g

export const withoutInvisible = (text: string) => text.replace(invisible, '')

/** Replaces dashes of any kind with the ASCII hyphen. */
export const withAsciiDashes = (text: string) => text.replace(/\p{Dash}/gu, '-')

/**
 * Returns a form of a text for comparing it without case, Unicode form, and kind of apostrophe or
 * dash.
 */
export const foldText = (text: string) =>
  withAsciiDashes(text.replace(apostrophe, "'"))
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')

/** Letters whose accent Unicode does not separate, without it. */
const plainLetters: Readonly<Record<string, string>> = {
  æ: 'ae',
  ð: 'd',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  œ: 'oe',
  ø: 'o',
  þ: 'th',
  ŧ: 't',
}

/** Returns a form of a text for searching: as `foldText`, without accents and invisible characters. */
export const foldForSearch = (text: string) =>
  foldText(text)
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[æðđħıłœøþŧ]/g, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFC')

/**
 * Returns a form of a vehicle's ref for comparing it as `foldText` does. Dashes and spaces are one
 * separator, which does not count between a letter and a digit (docs/fleet.md#fields).
 */
export const foldRef = (ref: string) =>
  foldText(ref)
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/[\s-]+/g, ' ')
    .trim()
    .replace(/(?<=\p{L}) (?=\p{N})|(?<=\p{N}) (?=\p{L})/gu, '')

/** Letters of Greek and Cyrillic, in lower case, that look like the Latin letters below them. */
const lookalikes = [...'αβεζηικμνορτυχавеікмнорстухѕјԁһӏԛԝ']
const latin = [...'abezhikmnoptyxabeikmhopctyxsjdhlqw']
const latinOf = new Map(lookalikes.map((letter, index) => [letter, latin[index]]))

/** Returns a form that two refs share if they are probably one vehicle, typed in two ways. */
export const looseRef = (ref: string) =>
  Array.from(foldRef(ref).replaceAll(' ', ''), (letter) => latinOf.get(letter) ?? letter).join('')
