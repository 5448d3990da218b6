const indent = '  '
const gap = '  '
/** Below this there is no room for a second column. */
const textNarrowest = 20

/**
 * Terms and what they mean in two columns, the meanings broken into lines where there is a `width`.
 * Nothing is shortened: help that ends in dots is none.
 */
export function definitions(
  list: readonly (readonly [term: string, meaning: string])[],
  width: number | undefined,
): string {
  const termWidth = Math.max(0, ...list.map(([term]) => [...term].length))
  const textWidth = (width ?? Number.POSITIVE_INFINITY) - indent.length - termWidth - gap.length
  if (textWidth < textNarrowest) return stacked(list, width ?? 0)
  return list
    .map(([term, meaning]) => {
      const [first = '', ...rest] = wrap(meaning, textWidth)
      const margin = ' '.repeat(indent.length + termWidth + gap.length)
      const lines = [indent + term.padEnd(termWidth) + gap + first, ...rest.map((l) => margin + l)]
      return lines.map((line) => `${line.trimEnd()}\n`).join('')
    })
    .join('')
}

function stacked(list: readonly (readonly [string, string])[], width: number): string {
  const margin = indent + indent
  return list
    .map(([term, meaning]) => {
      const lines = wrap(meaning, Math.max(textNarrowest, width - margin.length))
      return `${indent}${term}\n${lines.map((line) => `${margin}${line}\n`).join('')}`
    })
    .join('')
}

/** Breaks a text between words; a word that is too long stays whole. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && [...longer].length > width) {
      lines.push(line)
      line = word
    } else {
      line = longer
    }
  }
  return [...lines, line]
}
