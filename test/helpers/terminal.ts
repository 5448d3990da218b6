import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startOnLifeline } from '../../src/embedded/lifeline.ts'
import { findProgram } from './servers/findProgram.ts'
import { waitFor } from './waitFor.ts'

const patienceMs = 30_000

/** A program in a real terminal of 80 columns and 24 rows. */
export interface Terminal {
  /** What the screen shows, without blanks at the ends of lines. */
  screen(): Promise<string>
  /** Waits until the screen shows it. Throws with the last screen. */
  shows(text: string): Promise<void>
  /** Keys in tmux's names: `c`, `Enter`, `C-c`; a text is typed as it is. */
  type(...keys: readonly string[]): Promise<void>
  /** Sends its program a signal. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** Closes the window under the program. */
  close(): Promise<void>
}

/** Runs a program in tmux, which is found or unpacked like the servers. */
export async function openTerminal(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Terminal> {
  const program = await findProgram({
    names: ['tmux'],
    debianPackage: 'tmux',
    advice:
      'The tests need tmux 3.2 or newer: install it (apt-get install tmux, brew install tmux).',
  })
  const directory = await mkdtemp(join(tmpdir(), 'rental-terminal-'))
  const env = {
    ...{ PATH: process.env['PATH'] ?? '', SHELL: '/bin/sh', LC_ALL: 'C.UTF-8' },
    ...program.env,
  }
  const socket = ['-S', join(directory, 'tmux'), '-f', '/dev/null']
  const server = startOnLifeline({
    command: program.command,
    args: [...socket, '-u', '-D'],
    env: { ...env, ...environment },
    stopSignal: 'TERM',
    removeOnExit: [directory],
  })
  const tmux = async (...args: readonly string[]) =>
    (await promisify(execFile)(program.command, [...socket, '-u', ...args], { env })).stdout
  const started = () =>
    tmux('set-option', '-g', 'remain-on-exit', 'on').then(
      () => true,
      () => false,
    )
  await waitFor(started, patienceMs)
  const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  await tmux('new-session', '-d', '-x', '80', '-y', '24', `exec ${quoted}`)
  const screen = async () => (await tmux('capture-pane', '-p')).replace(/ +$/gm, '').trimEnd()
  return {
    screen,
    async shows(text) {
      let last = ''
      const isShown = async () => {
        last = await screen()
        return last.includes(text)
      }
      await waitFor(isShown, patienceMs).catch((cause: unknown) => {
        throw new Error(`The screen does not show "${text}":\n${last}`, { cause })
      })
    },
    async type(...keys) {
      await tmux('send-keys', ...keys)
    },
    async kill(signal) {
      process.kill(Number(await tmux('display-message', '-p', '#{pane_pid}')), signal)
    },
    async close() {
      await server.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
