import { createInterface, emitKeypressEvents, type Key } from 'node:readline'
import type { Terminal } from './context.ts'
import type { Prompts } from './reviewPrompts.ts'

const clearScreen = '\x1b[2J\x1b[H'
const clearLine = '\r\x1b[K'

/**
 * Single keys in a terminal. A key counts only while one is asked for: what is typed ahead would
 * decide about a booking that nobody has seen.
 */
export function terminalPrompts({ input, output }: Terminal): Prompts {
  emitKeypressEvents(input)
  input.setRawMode(true)
  input.resume()
  return {
    rows: () => output.rows,
    show: (text) => void output.write(clearScreen + text),
    key(question, signal) {
      output.write(clearLine + question)
      return new Promise((resolve) => {
        const settle = (key: string) => {
          input.off('keypress', pressed).off('end', ended)
          signal.removeEventListener('abort', aborted)
          resolve(key)
        }
        const pressed = (text: string | undefined, { ctrl, name }: Key) =>
          settle(ctrl && (name === 'c' || name === 'd') ? 'q' : (text ?? '').toLowerCase())
        const ended = () => settle('q')
        const aborted = () => settle('')
        input.on('keypress', pressed).on('end', ended)
        signal.addEventListener('abort', aborted)
      })
    },
    line(question) {
      const reader = createInterface({ input, output, terminal: true })
      return new Promise<string | undefined>((resolve) => {
        reader.once('SIGINT', () => resolve(undefined)).once('close', () => resolve(undefined))
        reader.question(question, (typed) =>
          resolve(typed.trim() === '.' ? undefined : typed.trim()),
        )
      }).finally(() => {
        // It leaves the terminal as it was before anybody asked for single keys.
        reader.close()
        input.setRawMode(true)
        input.resume()
      })
    },
    close() {
      input.setRawMode(false)
      input.pause()
      output.write('\n')
    },
  }
}
