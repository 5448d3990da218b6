const words = [
  'import',
  'from',
  'const',
  'await',
  'if',
  'throw',
  'new',
  'async',
  'return',
  'function',
  'def',
  'with',
  'as',
  'try',
  'except',
  'raise',
  'not',
  'is',
  'None',
  'else',
  'echo',
  'exit',
  'curl',
  'npm',
  'npx',
  'true',
  'false',
  'null',
  'undefined',
  'fn',
  'array',
  'string',
].join('|')

/** Matches a comment, a string, a number or a keyword, in this order. */
const token = new RegExp(
  `(?<comment>(?<=^|\\s)#(?!\\[).*|(?<=^|\\s)//.*)|(?<text>"[^"\\n]*"|'[^']*'|\`[^\`]*\`)|(?<number>\\b\\d+\\b)|(?<word>(?<![\\w-])(?:${words})(?![\\w-]))`,
  'gm',
)

export const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Returns code as HTML whose comments, strings, numbers and keywords have classes. */
export function highlight(code: string, language: string): string {
  if (language === '') return escapeHtml(code)
  let html = ''
  let end = 0
  for (const match of code.matchAll(token)) {
    const [kind, text = ''] =
      Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? []
    html += `${escapeHtml(code.slice(end, match.index))}<span class="${kind}">${escapeHtml(text)}</span>`
    end = match.index + text.length
  }
  return html + escapeHtml(code.slice(end))
}
