import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** How a review talks with whoever sits there. */
export interface Prompts {
  /** The rows of the screen; undefined where nothing is ever taken away from what was said. */
  rows(): number | undefined
  /** Shows a new page. */
  show(text: string): void
  /** One key, in lower case; `q` at the end of the input, '' when the signal says so. */
  key(question: string, signal: AbortSignal): Promise<string>
  /** A line; undefined when it was not wanted after all. */
  line(question: string): Promise<string | undefined>
  close(): void
}

/**
 * Lines for keys, and nothing that moves the cursor or comes while one is typed: for screen readers,
 * plain terminals and scripts.
 */
export function plainPrompts(input: Readable, write: (text: string) => void): Prompts {
  const reader = createInterface({ input })
  const lines = reader[Symbol.asyncIterator]()
  const next = async (question: string) => {
    write(question)
    const { done, value } = await lines.next()
    write('\n')
    return done === true ? undefined : value.trim()
  }
  return {
    rows: () => undefined,
    show: (text) => write(`\n${text}`),
    key: async (question) => (await next(question))?.slice(0, 1).toLowerCase() ?? 'q',
    async line(question) {
      const typed = await next(question)
      return typed === '.' ? undefined : typed
    },
    close: () => reader.close(),
  }
}
