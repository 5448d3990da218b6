import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const read = (path: string) =>
  readFileSync(join(import.meta.dirname, '../../examples', path), 'utf8')

interface Fleet {
  readonly assetGroups: readonly { readonly rates?: readonly Record<string, string>[] }[]
  readonly extras?: readonly Record<string, string>[]
}
const fleets = readdirSync(join(import.meta.dirname, '../../examples')).filter((file) =>
  file.endsWith('.json'),
)

it.each(fleets)('%s has plausible prices', (file) => {
  const { assetGroups, extras = [] } = JSON.parse(read(file)) as Fleet
  const rates = assetGroups.flatMap((group) => group.rates ?? [])
  expect(rates.length).toBeGreaterThan(0)
  for (const rate of rates) {
    const { dailyRate, hourlyRate = dailyRate, weeklyRate = dailyRate, monthlyRate } = rate
    const [hour, day, week] = [hourlyRate, dailyRate, weeklyRate].map(Number) as [
      number,
      number,
      number,
    ]
    const month = Number(monthlyRate ?? week)
    expect([
      rate,
      hour <= day,
      day <= week,
      week <= 7 * day,
      week <= month,
      month <= 5 * week,
    ]).toEqual([rate, true, true, true, true, true])
  }
  for (const extra of extras)
    expect([extra, Number(extra['maxPrice'] ?? extra['price']) >= Number(extra['price'])]).toEqual([
      extra,
      true,
    ])
})
