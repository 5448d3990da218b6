import type { TestApp } from './app.ts'

/**
 * Returns the current samples by series, such as `name{label="value"}`. The text of /metrics may be
 * a second old.
 */
export async function scrape({
  deps,
}: Pick<TestApp, 'deps'>): Promise<ReadonlyMap<string, number>> {
  return samplesIn(await deps.metrics.text())
}

/** Returns the samples in a text of /metrics by series. */
export function samplesIn(text: string): ReadonlyMap<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end + 1))]
    }),
  )
}
