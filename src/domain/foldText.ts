/** The characters that keyboards and word processors write for an apostrophe. */
const apostrophe =
  /[`\u00b4\u02b9\u02bb\u02bc\u02bd\u055a\u05f3\u2018\u2019\u201b\u2032\u2035\ua78c\uff07]/g

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

/** Returns a form of a ref for comparing it as `foldText` does, without spaces and invisible marks. */
export const foldRef = (ref: string) =>
  foldText(ref).replace(/[\s\p{Default_Ignorable_Code_Point}]/gu, '')
