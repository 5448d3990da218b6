import type { Io } from './context.ts'

const everyMs = 100

/**
 * Runs `work` with a line on the terminal that says how far it is, and takes the line away again.
 * Where nobody would see it, nothing is written.
 */
export async function withProgress<T>(
  { writeProgress }: Pick<Io, 'writeProgress'>,
  what: string,
  work: (onProgress?: (done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  if (writeProgress === undefined) return work()
  let shownAtMs = Number.NEGATIVE_INFINITY
  try {
    return await work((done, total) => {
      if (done < total && performance.now() - shownAtMs < everyMs) return
      shownAtMs = performance.now()
      const share = total === 0 ? 100 : Math.floor((100 * done) / total)
      const count = (number: number) => number.toLocaleString('en-US')
      writeProgress(`${what}: ${count(done)} of ${count(total)} (${share} %)`)
    })
  } finally {
    writeProgress('')
  }
}
