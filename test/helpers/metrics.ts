import type { TestApp } from './app.ts'

/** Returns the samples of /metrics by series, such as `name{label="value"}`. */
export async function scrape(server: Pick<TestApp, 'http'>): Promise<ReadonlyMap<string, number>> {
  return samplesIn((await server.http.get('/metrics').expect(200)).text)
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
