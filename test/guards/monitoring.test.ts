import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { errorTable } from '../../src/domain/errors.ts'
import { metricsIn } from '../helpers/promql.ts'
import { metricNames, namesIn, operations, read, rowsOf } from './operationsPage.ts'

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string }
}
interface Panel {
  readonly title: string
  readonly fieldConfig: { readonly defaults: { readonly unit: string } }
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[]
}
/** What the backups' own page of metrics has. */
const backupMetrics = ['backup.sh', 'audit.mjs'].flatMap((file) =>
  [...read(`docker/backup/${file}`).matchAll(/rental_backup_\w+/g)].map(([name]) => name),
)
const { groups } = parse(read('examples/alerts.yml')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)

/** What only a server of theirs has: `proxy/` asks HAProxy, `compose/` Prometheus and its exporters. */
const elsewhere =
  /^(haproxy_\w+|up|pg_stat_database_numbackends|pg_database_size_bytes|redis_memory_used_bytes)$/

/** The metrics that an expression asks for and that nobody has. */
async function unknownIn(expr: string): Promise<string[]> {
  const names = new Set([...(await metricNames()), ...backupMetrics])
  return metricsIn(expr).filter(
    (name) =>
      !elsewhere.test(name) &&
      !names.has(name) &&
      !names.has(name.replace(/_(bucket|sum|count)$/, '')),
  )
}

const quoted = (text: string) => [...text.matchAll(/\w+/g)].map(([word]) => word)

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
const chosenIn = (expr: string) =>
  [...expr.matchAll(/(\w+)\s*(?:=|!=|=~|!~)\s*"([^"]*)"/g)].map(([, label = '', value = '']) => ({
    label,
    value,
  }))

/** The labels and values that an expression goes by, and that what it asks for does not have. */
function strangersIn(expr: string): string[] {
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
function linesDifferBy(expr: string): string[] {
  if (/^sum\(/.test(expr)) return []
  const grouped = groupedIn(expr).filter((label) => label !== 'le')
  if (grouped.length > 0) return grouped
  const chosen = chosenIn(expr).map(({ label }) => label)
  return labelsIn(expr).filter((label) => !chosen.includes(label))
}

/** Of metrics that are 1 or 0, what they are while all is well. */
const wellAt: Readonly<Record<string, string>> = {
  up: '1',
  rental_limiter_degraded: '0',
  rental_backup_restored_sound: '1',
}

/** What people read as numbers of an expression and says something else, or can't be. */
function mistakesIn(expr: string, told: string): string[] {
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

/** As Grafana calls it; undefined: a number of anything. */
function unitOf(expr: string): string | undefined {
  if (/ \/ /.test(expr)) return 'percentunit'
  if (/\btime\(\)|_seconds/.test(expr)) return 's'
  if (/_bytes\b/.test(expr)) return 'bytes'
  return /\brate\(/.test(expr) ? 'reqps' : undefined
}

describe('the dashboard', () => {
  const { panels } = JSON.parse(read('docker/monitoring/grafana/rental.json')) as {
    panels: Panel[]
  }

  it('asks for metrics that exist by labels that they have, one question a panel at least', async () => {
    expect(panels.length).toBeGreaterThan(10)
    for (const { title, targets } of panels) {
      expect([title, targets]).not.toEqual([title, []])
      for (const { expr } of targets)
        expect([title, await unknownIn(expr), strangersIn(expr)]).toEqual([title, [], []])
    }
  })

  it('names in the legend whatever the lines of a panel differ by', () => {
    for (const { title, targets } of panels)
      for (const { expr, legendFormat } of targets)
        expect([title, quoted(legendFormat)]).toEqual([
          title,
          expect.arrayContaining(linesDifferBy(expr)),
        ])
  })

  it('counts each booking once, however often its answer was repeated', () => {
    const attempts = panels
      .flatMap(({ targets }) => targets.map(({ expr }) => expr))
      .filter((expr) => expr.includes('rental_booking_attempts_total'))
    expect(attempts.map(chosenIn)).toEqual([[{ label: 'replayed', value: 'false' }]])
  })

  it('shows what the title of each panel says', () => {
    for (const { title, targets } of panels)
      for (const { expr } of targets) expect([title, mistakesIn(expr, title)]).toEqual([title, []])
    const said: readonly (readonly [RegExp, RegExp])[] = [
      [/\ba second\b/, /\brate\(/],
      [/\ban hour\b/, /\bincrease\(.*\[1h\]/],
      [/^Refusals/, /\{code!=""\}/],
      [/^Refused/, /\{decision="refused"\}/],
      [/from memory/, /\{result="hit"\}.* \/ /],
      [/^Memory/, /resident_memory/],
      [/^Age /, /^time\(\) - /],
      [/^PostgreSQL/, /\{datname="rental"\}/],
    ]
    for (const [words, pattern] of said) {
      const about = panels.filter(({ title }) => words.test(title))
      expect([words, about]).not.toEqual([words, []])
      for (const { expr } of about.flatMap(({ targets }) => targets)) expect(expr).toMatch(pattern)
    }
  })

  it('shows each figure in its unit', () => {
    const single = panels.filter(({ targets }) => targets.length === 1)
    for (const { title, fieldConfig, targets } of single) {
      const { unit } = fieldConfig.defaults
      expect([title, unit]).toEqual([title, unitOf(targets[0]?.expr ?? '') ?? unit])
    }
  })
})

describe('the alerts', () => {
  it('ask for metrics that exist by labels that they have', async () => {
    for (const { alert, expr } of rules)
      expect([alert, await unknownIn(expr), strangersIn(expr)]).toEqual([alert, [], []])
  })

  it.each([
    ['RentalReplicaRestarting', 'more than twice in 15 minutes', '[15m]) > 2'],
    ['RentalInternalErrors', 'in 10 minutes', '[10m])) > 0'],
    // The first of its kind begins a series, which is no increase.
    ['RentalInternalErrors', 'in 10 minutes', '{code="INTERNAL_ERROR"} offset 10m) > 0'],
    ['RentalUnavailable', 'more than one request in twenty', '> 0.05'],
    ['RentalSlow', 'more than a second', '> 1'],
    ['RentalPoolExhausted', 'for 5 minutes', 'min_over_time(rental_database_waiting[5m]) > 0'],
    ['RentalReleasesMixed', 'Two releases', 'count(count by (version) (rental_build_info)) > 1'],
    ['RentalHousekeepingStopped', 'for an hour', '[1h])) == 0'],
    ['RentalReplicaMissing', 'One replica', '== 1'],
    ['RentalBackupMissing', 'a day and a half', '> 129600'],
    ['RentalLogNotReceived', 'a quarter of an hour', '> 900'],
  ])('%s fires at what people are told: %s', (alert, told, condition) => {
    const rule = rules.find((each) => each.alert === alert)
    const row = operations.split('\n').find((line) => line.startsWith(`| \`${alert}\` |`))
    expect(`${rule?.annotations.summary} ${row}`).toContain(told)
    expect(`${rule?.expr.replace(/\s+/g, ' ')} `).toContain(`${condition} `)
  })

  it('can fire: a share is compared with one, and what is late is late before ten days', () => {
    for (const { alert, expr } of rules) {
      const [, share = '0'] = / \/ .*> ([\d.]+)\s*$/s.exec(expr) ?? []
      const [, seconds = '0'] = /\btime\(\) - .*> (\d+)/s.exec(expr) ?? []
      expect([alert, Number(share) < 1, Number(seconds) < 864_000]).toEqual([alert, true, true])
    }
  })

  it('fire in time: those that wake somebody within five minutes, the others within two hours', () => {
    const unitMinutes: Readonly<Record<string, number>> = { s: 1 / 60, m: 1, h: 60, d: 1_440 }
    for (const { alert, for: held = '0m', labels } of rules) {
      const minutes = Number.parseInt(held, 10) * (unitMinutes[held.at(-1) ?? ''] ?? Number.NaN)
      expect([alert, minutes <= (labels.severity === 'page' ? 5 : 120)]).toEqual([alert, true])
    }
  })

  it('can fire: nothing that is counted is ever below zero', () => {
    for (const { alert, expr } of rules) expect(`${alert}: ${expr}`).not.toMatch(/<\s*0(?![.\d])/)
  })

  it('can fire: what is either 1 or 0 is compared with one of them', async () => {
    const names = await namesIn(/^# HELP (\w+) 1 while /gm)
    expect(names).toContain('rental_limiter_degraded')
    const compared = new RegExp(`\\b(?:${names.join('|')})\\b(?:{[^}]*})?\\s*([<>=!]+.*)`, 'g')
    for (const { alert, expr } of rules) {
      for (const [, comparison] of expr.matchAll(compared))
        expect([alert, comparison]).toEqual([alert, expect.stringMatching(/^== [01]\b(?!\.)/)])
    }
  })

  it('can fire: what is missed when it is late is missed as well when it never was', () => {
    const late = rules.flatMap(({ alert, expr }) =>
      [...expr.matchAll(/last_over_time\(([^[]+)\[/g)].map(([, metric]) => ({
        alert,
        expr,
        metric,
      })),
    )
    expect(late.map(({ alert }) => alert)).toEqual(['RentalBackupMissing', 'RentalLogNotReceived'])
    for (const { expr, metric } of late)
      expect(expr.trim().split('unless on (job) ')[1]).toBe(metric)
  })

  it('can fire: a dump that nobody has restored and checked is missed, however long', () => {
    const never = rules.flatMap(
      ({ expr }) => /unless on \(job\) (\w+_sound)$/.exec(expr.trim()) ?? [],
    )
    expect(never[1]).toBe('rental_backup_restored_sound')
  })

  it('fire when something is wrong, and say what', () => {
    for (const { alert, expr, annotations } of rules) {
      expect([alert, mistakesIn(expr, annotations.summary)]).toEqual([alert, []])
      for (const [, metric = '', value, then] of expr.matchAll(
        /\b(\w+)(?:\{[^}]*\})? == ([01])\b\s*(unless)?/g,
      ))
        if (metric in wellAt)
          // Whoever is well and does not tell something is missed for that.
          expect([alert, value === wellAt[metric]]).toEqual([alert, then !== undefined])
    }
  })

  it('compare shares and seconds with what can be, of codes and kinds that there are', () => {
    const script = read('docker/backup/backup.sh')
    const kinds = [...script.matchAll(/\breport (\w+) /g)].map(([, kind]) => kind)
    for (const { alert, expr } of rules) {
      for (const { label, value } of chosenIn(expr)) {
        if (label === 'code') expect(Object.keys(errorTable)).toContain(value)
        if (label === 'kind') expect(kinds).toContain(value)
      }
      const [, most = '0.5'] = / \/ \w+_max\w*(?:\{.*\})? > ([\d.]+)\s*$/.exec(expr) ?? []
      expect([alert, Number(most) >= 0.5]).toEqual([alert, true])
      const [, late = '0'] = /(?:_lag_\w+|_seconds_bucket)\b.* > ([\d.]+)\s*$/s.exec(expr) ?? []
      expect([alert, Number(late) <= 5]).toEqual([alert, true])
    }
  })

  it('wake somebody where callers are not served', () => {
    const waking = rules.filter(({ labels }) => labels.severity === 'page')
    const lost = /(Down|Restarting|Errors|Unavailable|Overloaded|Replica|ReplicaMissing)$/
    expect(waking).toEqual(rules.filter(({ alert }) => lost.test(alert)))
  })

  it('are the ones that the document explains', () => {
    expect(rowsOf('Alerts').sort()).toEqual(rules.map(({ alert }) => alert).sort())
    for (const { alert, annotations } of rules)
      expect([alert, annotations.summary]).not.toContain('')
  })
})

it('dashboard and alerts ask for jobs that are scraped, and for parts of the proxy that it has', () => {
  const asked = read('docker/monitoring/grafana/rental.json') + read('examples/alerts.yml')
  const scraped = [...read('docker/monitoring/prometheus.yml').matchAll(/job_name: (\S+)/g)]
  const parts = [...read('docker/haproxy/haproxy.cfg').matchAll(/^(?:frontend|backend) (\S+)/gm)]
  for (const [label, known] of [
    ['job', scraped],
    ['proxy', parts],
  ] as const) {
    const named = [...asked.matchAll(new RegExp(`\\b${label}=\\\\?"([\\w-]+)`, 'g'))]
    expect(named.length).toBeGreaterThan(2)
    expect(known.map(([, name]) => name)).toEqual(
      expect.arrayContaining(named.map(([, name]) => name)),
    )
  }
})
