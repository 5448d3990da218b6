/** Parts of an expression without metrics: labels, ranges, and the lists after `by` and `on`. */
const asides = /\{[^}]*\}|\[[^\]]*\]|\b(?:by|without|on|ignoring)\s*\([^)]*\)/g
const words = new Set(['and', 'bool', 'offset', 'or', 'unless'])

/** Returns the metrics in a PromQL expression: all names but functions and keywords. */
export function metricsIn(expr: string): string[] {
  const bare = expr.replace(asides, ' ').replace(/\b\d\w*/g, ' ')
  const names = bare.match(/\b[a-z_]\w*\b(?!\s*\()/gi) ?? []
  return [...new Set(names.filter((name) => !words.has(name)))]
}
