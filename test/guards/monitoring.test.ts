import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { errorTable } from '../../src/domain/errors.ts'
import { chosenIn, mistakesIn, strangersIn, unknownIn } from './figures.ts'
import { namesIn, operations, read, rowsOf } from './operationsPage.ts'

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string }
}

const { groups } = parse(read('examples/alerts.yml')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)

/** Of metrics that are 1 or 0, what they are while all is well. */
const wellAt: Readonly<Record<string, string>> = {
  up: '1',
  rental_limiter_degraded: '0',
  rental_backup_restored_sound: '1',
}

describe('the alerts', () => {
  it('ask for metrics that exist by labels that they have', async () => {
    for (const { alert, expr } of rules)
      expect([alert, await unknownIn(expr), strangersIn(expr)]).toEqual([alert, [], []])
  })

  const conditions = [
    ['RentalReplicaDown', 'does not answer', 'up{job="rental-api"} == 0'],
    [
      'RentalReplicaRestarting',
      'more than twice in 15 minutes',
      'changes(process_start_time_seconds{job="rental-api"}[15m]) > 2',
    ],
    [
      'RentalInternalErrors',
      'in 10 minutes',
      'sum(increase(rental_http_requests_total{code="INTERNAL_ERROR"}[10m])) > 0',
    ],
    // The first of its kind begins a series, which is no increase.
    ['RentalInternalErrors', 'in 10 minutes', '{code="INTERNAL_ERROR"} offset 10m) > 0'],
    [
      'RentalUnavailable',
      'more than one request in twenty',
      'sum(rate(rental_http_requests_total{code="SERVICE_UNAVAILABLE"}[5m])) / sum(rate(rental_http_requests_total[5m])) > 0.05',
    ],
    [
      'RentalSlow',
      'more than a second',
      'histogram_quantile(0.99, sum by (operation, le) ( rate(rental_http_request_duration_seconds_bucket{operation!="other"}[5m]))) > 1',
    ],
    [
      'RentalOverloaded',
      'refuses',
      'sum by (instance) (rate(rental_overload_refusals_total[5m])) > 0',
    ],
    [
      'RentalNearlyFull',
      'while there is still time',
      'rental_http_requests_in_progress / rental_http_requests_in_progress_max > 0.7',
    ],
    ['RentalPoolExhausted', 'for 5 minutes', 'min_over_time(rental_database_waiting[5m]) > 0'],
    ['RentalLimitsNotShared', 'on its own', 'rental_limiter_degraded == 1'],
    ['RentalEventLoopSlow', 'too busy', 'nodejs_eventloop_lag_p99_seconds{job="rental-api"} > 0.2'],
    [
      'RentalKeysGuessed',
      'a key that does not exist',
      'sum(rate(rental_http_requests_total{code="API_KEY_INVALID"}[10m])) > 5',
    ],
    [
      'RentalHousekeepingStopped',
      'for an hour',
      'sum(increase(rental_housekeeping_runs_total{result="done"}[1h])) == 0',
    ],
    ['RentalReleasesMixed', 'Two releases', 'count(count by (version) (rental_build_info)) > 1'],
    [
      'RentalFilesRunningOut',
      'file descriptors',
      'process_open_fds{job="rental-api"} / process_max_fds{job="rental-api"} > 0.8',
    ],
    ['RentalNoReplica', 'no replica', 'haproxy_backend_active_servers{proxy="api"} == 0'],
    ['RentalReplicaMissing', 'One replica', 'haproxy_backend_active_servers{proxy="api"} == 1'],
    ['RentalProxyDown', 'does not answer', 'up{job="haproxy"} == 0'],
    [
      'RentalBackupMissing',
      'a day and a half',
      'time() - last_over_time(rental_backup_last_success_timestamp_seconds{kind="dump"}[7d]) > 129600',
    ],
    [
      'RentalLogNotReceived',
      'a quarter of an hour',
      'time() - last_over_time(rental_backup_last_success_timestamp_seconds{kind="wal"}[7d]) > 900',
    ],
    ['RentalBackupUnsound', 'could not be restored, or', '_sound == 0 or time()'],
    ['RentalBackupUnsound', 'could not be restored, or', '{kind="restore"} > 777600'],
    ['RentalBackupUnchecked', 'nobody has known', 'up{job="backup"} == 1 unless on (job)'],
  ] as const

  it('have each a condition that people are told of', () => {
    expect([...new Set(conditions.map(([alert]) => alert))]).toEqual(
      rules.map(({ alert }) => alert),
    )
  })

  it.each(conditions)('%s fires at what people are told: %s', (alert, told, condition) => {
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

  it('fire for what lasts, but for what was counted over minutes or days', () => {
    const atOnce = rules.filter((rule) => rule.for === undefined).map(({ alert }) => alert)
    expect(atOnce).toEqual([
      ...['RentalReplicaRestarting', 'RentalInternalErrors'],
      ...['RentalPoolExhausted', 'RentalBackupUnsound'],
    ])
    // A replica that is replaced is away for some seconds, and two releases run beside each other.
    for (const { alert, for: held = '1m' } of rules)
      expect([alert, held]).toEqual([alert, expect.stringMatching(/^(30s|\d+[mh])$/)])
    expect(rules.find(({ alert }) => alert === 'RentalReleasesMixed')?.for).toBe('1h')
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
