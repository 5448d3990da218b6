import { metricsIn } from '../helpers/promql.ts'
import { metricNames, operations, read } from './operationsPage.ts'

/** What the backups' own page of metrics has. */
const backupMetrics = ['backup.sh', 'audit.mjs'].flatMap((file) =>
  [...read(`docker/backup/${file}`).matchAll(/rental_backup_\w+/g)].map(([name]) => name),
)

/** What only a server of theirs has: `proxy/` asks HAProxy, `compose/` Prometheus and its exporters. */
const elsewhere =
  /^(haproxy_\w+|up|pg_stat_database_numbackends|pg_database_size_bytes|redis_memory_used_bytes)$/

/** The metrics that an expression asks for and that nobody has. */
export async function unknownIn(expr: string): Promise<string[]> {
  const names = new Set([...(await metricNames()), ...backupMetrics])
  return metricsIn(expr).filter(
    (name) =>
      !elsewhere.test(name) &&
      !names.has(name) &&
      !names.has(name.replace(/_(bucket|sum|count)$/, '')),
  )
}

export const quoted = (text: string) => [...text.matchAll(/\w+/g)].map(([word]) => word)

/** What the document says of the labels of those of our metrics that an expression asks for. */
function labelTextOf(expr: string): string {
  const names = metricsIn(expr).map((name) => name.replace(/_(bucket|sum|count)$/, ''))
  const rows = [...operations.matchAll(/^\| `(rental_\w+)` \| \w+ \| ([^|]*) \|/gm)]
  return rows.flatMap(([, name = '', labels]) => (names.includes(name) ? labels : [])).join()
}

const labelsIn = (expr: string) => quoted(labelTextOf(expr).replace(/\([^)]*\)/g, ''))

/** Their values, where it names them all. */
const valuesIn = (expr: string) =>
  new Map(
    [...labelTextOf(expr).matchAll(/`(\w+)` \(((?:`\w+`(?:, )?)+)\)/g)].map(
      ([, label = '', values = '']) => [label, quoted(values)],
    ),
  )

const groupedIn = (expr: string) =>
  [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => quoted(list))
export const chosenIn = (expr: string) =>
  [...expr.matchAll(/(\w+)\s*(?:=|!=|=~|!~)\s*"([^"]*)"/g)].map(([, label = '', value = '']) => ({
    label,
    value,
  }))

/** The labels and values that an expression goes by, and that what it asks for does not have. */
export function strangersIn(expr: string): string[] {
  if (!metricsIn(expr).every((name) => /^rental_(?!backup_)/.test(name))) return []
  const known = new Set(['instance', 'job', 'le', ...labelsIn(expr)])
  const values = valuesIn(expr)
  const chosen = chosenIn(expr)
  return [
    ...[...groupedIn(expr), ...chosen.map(({ label }) => label)].filter(
      (label) => !known.has(label),
    ),
    ...chosen.flatMap(({ label, value }) =>
      (values.get(label) ?? [value]).includes(value) ? [] : [`${label}="${value}"`],
    ),
  ]
}

/** By which labels the lines of an expression differ. */
export function linesDifferBy(expr: string): string[] {
  if (/^sum\(/.test(expr)) return []
  const grouped = groupedIn(expr).filter((label) => label !== 'le')
  if (grouped.length > 0) return grouped
  const chosen = chosenIn(expr).map(({ label }) => label)
  return labelsIn(expr).filter((label) => !chosen.includes(label))
}

/** What people read as numbers of an expression and says something else, or can't be. */
export function mistakesIn(expr: string, told: string): string[] {
  const labels = [...expr.matchAll(/\b(haproxy_\w+)\{proxy="(\w+)"/g)]
  const parts = { haproxy_backend: 'api', haproxy_frontend: 'public' }
  const says = (words: RegExp, pattern: RegExp) => !words.test(told) || pattern.test(expr)
  const is: Readonly<Record<string, boolean>> = {
    'a quantile by buckets': says(/./, /^(?!.*histogram_quantile\((?!.*\ble\b))/s),
    'one of a hundred': says(/\b(one|99).* (of|in) a? ?(100|hundred)\b/i, /quantile\(0\.99,|_p99_/),
    'a part of the whole': !/max\w*(\{[^}]*\})? \/ (?!.*max)/s.test(expr),
    'a part of the proxy that serves': labels.every(([, metric = '', part]) =>
      Object.entries(parts).some(([start, name]) => metric.startsWith(start) && part === name),
    ),
  }
  return Object.keys(is).filter((what) => !is[what])
}
