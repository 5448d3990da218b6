import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { requestTimeouts } from '../../src/db/timeouts.ts'
import { openMetrics } from '../../src/metrics/metrics.ts'
import { metricsIn } from '../helpers/promql.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const operations = read('docs/operations.md')

/** What an application that serves nobody answers to `GET /metrics`. */
async function metricsText(): Promise<string> {
  const metrics = openMetrics()
  metrics.watch({
    pool: { totalCount: 0, idleCount: 0, waitingCount: 0 },
    degraded: () => false,
    draining: () => false,
  })
  metrics.watchRequests(() => 0, 1)
  return metrics.text()
}

/** The names in those lines of the metrics that `pattern` finds. */
const namesIn = async (pattern: RegExp) =>
  [...(await metricsText()).matchAll(pattern)].map(([, name = '']) => name)

/** The names of the metrics that an application registers. */
const metricNames = () => namesIn(/^# TYPE (\w+)/gm)

const ours = (names: readonly string[]) => names.filter((name) => name.startsWith('rental_')).sort()

/** The rows of a table of the document: the code in their first column. */
function rowsOf(heading: string): string[] {
  const section = operations.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, first = '']) => first)
}

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly annotations: { readonly summary: string }
}
interface Dashboard {
  readonly panels: readonly {
    readonly title: string
    readonly targets: readonly { readonly expr: string }[]
  }[]
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

it('the dashboard asks for metrics that exist, one question a panel at least', async () => {
  const { panels } = JSON.parse(read('docker/monitoring/grafana/rental.json')) as Dashboard
  expect(panels.length).toBeGreaterThan(10)
  for (const { title, targets } of panels) {
    expect([title, targets]).not.toEqual([title, []])
    for (const { expr } of targets) expect([title, await unknownIn(expr)]).toEqual([title, []])
  }
})

describe('the alerts', () => {
  it('ask for metrics that exist', async () => {
    for (const { alert, expr } of rules) expect([alert, await unknownIn(expr)]).toEqual([alert, []])
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

  it('are the ones that the document explains', () => {
    expect(rowsOf('Alerts').sort()).toEqual(rules.map(({ alert }) => alert).sort())
    for (const { alert, annotations } of rules)
      expect([alert, annotations.summary]).not.toContain('')
  })
})

describe('the document', () => {
  it('names every metric of ours, and no other', async () => {
    expect(rowsOf('Metrics').sort()).toEqual(ours(await metricNames()))
  })

  it('names every line that the log can have, each with its level', () => {
    const lines = messages()
    const said = lines.map(({ message }) => message)
    expect(said.length).toBeGreaterThan(20)
    const section = operations.split('\n## Log lines\n')[1]?.split('\n## ')[0] ?? ''
    const rows = rowsOf('Log lines').map((row) => row.replace(/…$/, ''))
    expect(
      said.filter((message) => !rows.some((row) => row !== '' && message.startsWith(row))),
    ).toEqual([])
    expect(
      rows.filter(
        (row) => /^[a-zA-Z].* /.test(row) && !said.some((message) => message.startsWith(row)),
      ),
    ).toEqual([])
    expect(section).toContain('`answered`')
    const levels = [...section.matchAll(/^\| `([^`…]+)…?` \| (\w+)/gm)]
    for (const { message, level } of lines) {
      const [, , wanted] = levels.find(([, row = '']) => message.startsWith(row)) ?? []
      expect([message, level]).toEqual([message, wanted])
    }
  })
})

/** The first text in every call of a log, and the level; what it is about comes before it as an object. */
function messages() {
  const nested = String.raw`\((?:[^()]|\([^()]*\))*\)`
  const call = new RegExp(
    String.raw`\blog(?:\.(fatal|error|warn|info|debug|trace))?\((?:[^'\x60()]|${nested})*?(?:'([^'\n]+)'|\x60([^\x60]+)\x60)`,
    'g',
  )
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...read(join('src', file)).matchAll(call)])
    .map(([, level = 'info', quoted, template = '']) => ({
      // The embedded database tells what it does, and no more.
      level,
      message: quoted ?? template.split('${')[0] ?? template,
    }))
}

it('the role that operators make has the timeouts that a replica would ask for', () => {
  const settings = operations.matchAll(/alter role shop_api set (\w+) = '(\w+)'/g)
  expect(Object.fromEntries([...settings].map(([, name, value]) => [name, value]))).toMatchObject({
    lock_timeout: `${requestTimeouts.lockMs}ms`,
    statement_timeout: `${requestTimeouts.statementMs / 1_000}s`,
    idle_in_transaction_session_timeout: `${requestTimeouts.idleTransactionMs / 1_000}s`,
  })
})
