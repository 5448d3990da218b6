import { createInterface, emitKeypressEvents, type Interface, type Key } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Terminal } from './command.ts'

/** How a review talks with whoever sits there. */
export interface Prompts {
  /** The rows of the screen; endless for plain lines, which are never cleared. */
  rows(): number
  show(text: string): void
  /** One key, in lower case; `q` at the end of the input, '' for Enter and for the signal. */
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
    // The database takes no NUL, which a pipe may bring.
    return done === true ? undefined : value.replaceAll('\0', '').trim()
  }
  return {
    rows: () => Number.POSITIVE_INFINITY,
    show: (text) => write(`\n${text}`),
    key: async (question) => (await next(question))?.slice(0, 1).toLowerCase() ?? 'q',
    async line(question) {
      const typed = await next(question)
      return typed === '.' ? undefined : typed
    },
    close: () => reader.close(),
  }
}

const clearScreen = '\x1b[2J\x1b[H'
const clearLine = '\r\x1b[K'
/** How soon after Esc a key must follow to be one with it: Node waits half a second, people type on. */
const escapeMs = 50

/** Enter, Tab and the arrows have none. */
const lettersOf = (text = '') => text.replace(/\p{Cc}/gu, '').toLowerCase()

/**
 * Single keys in a terminal. A key counts only while one is asked for: what is typed ahead would
 * decide about a booking that nobody has seen.
 */
export function terminalPrompts({ input, output }: Terminal): Prompts {
  // The types want a whole interface; Node reads this option of it, and nothing else.
  emitKeypressEvents(input, { escapeCodeTimeout: escapeMs } as unknown as Interface)
  input.setRawMode(true)
  input.resume()
  return {
    rows: () => output.rows || Number.POSITIVE_INFINITY,
    show: (text) => void output.write(clearScreen + text),
    async key(question, signal) {
      output.write(clearLine + question)
      if (input.readableEnded) return 'q'
      return new Promise((resolve) => {
        const settle = (key: string) => {
          input.off('keypress', pressed).off('end', ended)
          signal.removeEventListener('abort', aborted)
          process.off('SIGTERM', ended)
          resolve(key)
        }
        const pressed = (text: string | undefined, { ctrl, name }: Key) =>
          settle(ctrl && (name === 'c' || name === 'd') ? 'q' : lettersOf(text))
        const ended = () => settle('q')
        const aborted = () => settle('')
        input.on('keypress', pressed).on('end', ended)
        signal.addEventListener('abort', aborted)
        // By itself the signal would end us with the terminal still in raw mode.
        process.on('SIGTERM', ended)
      })
    },
    async line(question) {
      const typed = await typedLine({ input, output }, question)
      // Reading lines leaves the terminal as it was before anybody asked for single keys.
      input.setRawMode(true)
      input.resume()
      return typed === '.' ? undefined : typed
    },
    close() {
      input.setRawMode(false)
      input.pause()
      output.write('\n')
    },
  }
}

/** A line; a single full stop where Ctrl-C, Ctrl-D, Esc or the end of the input came instead. */
async function typedLine({ input, output }: Terminal, question: string): Promise<string> {
  const reader = createInterface({ input, output, terminal: true })
  const pressed = (_: unknown, { name }: Key) => void (name === 'escape' && reader.close())
  input.on('keypress', pressed)
  const typed = await new Promise<string>((resolve) => {
    reader.once('close', () => resolve('.'))
    reader.question(question, resolve)
  })
  input.off('keypress', pressed)
  reader.close()
  return typed.trim()
}
