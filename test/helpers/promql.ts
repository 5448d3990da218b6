/** What is left out of an expression: labels, ranges, and the lists behind `by` and `on`. */
const asides = /\{[^}]*\}|\[[^\]]*\]|\b(?:by|without|on|ignoring)\s*\([^)]*\)/g
const words = new Set(['and', 'bool', 'offset', 'or', 'unless'])

/** The metrics that an expression of PromQL asks for: every name that is neither a function nor a word of the language. */
export function metricsIn(expr: string): string[] {
  const bare = expr.replace(asides, ' ').replace(/\b\d\w*/g, ' ')
  const names = bare.match(/\b[a-z_]\w*\b(?!\s*\()/gi) ?? []
  return [...new Set(names.filter((name) => !words.has(name)))]
}
