/** What keyboards and word processors write for an apostrophe. */
export const apostrophes =
  '`\u00b4\u02b9\u02bb\u02bc\u02bd\u055a\u05f3\u2018\u2019\u201b\u2032\u2035\ua78c\uff07'
/** The characters with the Unicode property Dash, other than the ASCII hyphen. */
export const dashes =
  '\u058a\u05be\u1400\u1806\u2010\u2011\u2012\u2013\u2014\u2015\u2053\u207b\u208b\u2212\u2e17\u2e1a' +
  '\u2e3a\u2e3b\u2e40\u2e5d\u301c\u3030\u30a0\ufe31\ufe32\ufe58\ufe63\uff0d'
const anyApostrophe = new RegExp(`[${apostrophes}]`, 'gu')
const anyDash = new RegExp(`[${dashes}]`, 'gu')

/** Replaces dashes of any kind with the ASCII hyphen. */
export const withAsciiDashes = (text: string) => text.replace(anyDash, '-')

/**
 * Returns a form of a text for comparing it without case, Unicode form, and kind of apostrophe or
 * dash. `foldedText` of `db/operatorQueries/foldedText.ts` is the same in SQL.
 */
export const foldText = (text: string) =>
  withAsciiDashes(text.replace(anyApostrophe, "'"))
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
