import { describe, expect, it } from 'vitest'
import { chosenIn, linesDifferBy, mistakesIn, quoted, strangersIn, unknownIn } from './figures.ts'
import { read } from './operationsPage.ts'

interface Panel {
  readonly title: string
  readonly fieldConfig: { readonly defaults: { readonly unit: string } }
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[]
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
      [/^99 of 100/, /\{operation!="other"\}/],
      [/^Memory/, /resident_memory\w+\{job="rental-api"\}/],
      [/^Event loop/, /\{job="rental-api"\}/],
      [/^Age /, /^time\(\) - /],
      [/^PostgreSQL/, /\{datname="rental"\}/],
    ]
    for (const [words, pattern] of said) {
      const about = panels.filter(({ title }) => words.test(title))
      expect([words, about]).not.toEqual([words, []])
      for (const { expr } of about.flatMap(({ targets }) => targets)) expect(expr).toMatch(pattern)
    }
  })

  it('names two figures of one panel as what they are', () => {
    const several = panels.filter(({ targets }) => targets.length > 1)
    const named = several.flatMap(({ targets }) =>
      targets.map(({ expr, legendFormat }) => [legendFormat, expr]),
    )
    expect(Object.fromEntries(named)).toEqual({
      connections: expect.stringContaining('_numbackends{'),
      bytes: expect.stringContaining('_size_bytes{'),
    })
  })

  it('shows each figure in its unit', () => {
    const single = panels.filter(({ targets }) => targets.length === 1)
    for (const { title, fieldConfig, targets } of single) {
      const { unit } = fieldConfig.defaults
      expect([title, unit]).toEqual([title, unitOf(targets[0]?.expr ?? '') ?? unit])
    }
  })
})
