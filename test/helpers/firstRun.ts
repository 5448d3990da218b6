import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { compiledServer } from './compiledServer.ts'
import { waitFor } from './waitFor.ts'

/** A server as `npm start` runs it on a machine with nothing but Node: with the embedded database. */
export interface FirstRunServer {
  readonly child: ChildProcess
  /** What it had printed when it was ready, or had ended. */
  readonly banner: string
  /** Everything it has printed so far. */
  output(): string
}

const startTimeoutMs = 120_000
/** With which the banner ends. */
const lastLine = 'bookings confirm'

/** The environment of a newcomer's shell, on data of one's own and free ports. */
export const firstRunEnvironment = (dataDir: string) => ({
  PATH: process.env['PATH'],
  DATA_DIR: dataDir,
  PORT: '0',
})

interface StartOptions extends SpawnOptions {
  readonly env?: Record<string, string>
  /** Instead of the server by itself, such as npm. */
  readonly command?: readonly string[]
  /** Instead of the banner's last line. */
  readonly until?: string
}

/** Starts it under the usual umask; resolves when it is ready or has ended. */
export async function startFirstRun(
  dataDir: string,
  { env = {}, command, until = lastLine, ...options }: StartOptions = {},
): Promise<FirstRunServer> {
  const words = command ?? [process.execPath, await compiledServer()]
  const child = spawn('/bin/sh', ['-c', 'umask 022; exec "$0" "$@"', ...words], {
    ...options,
    stdio: 'pipe',
    env: { ...firstRunEnvironment(dataDir), ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  let closed = false
  child.once('close', () => {
    closed = true
  })
  await waitFor(() => output.includes(until) || closed, startTimeoutMs)
  return { child, banner: output, output: () => output }
}

/** Ctrl-C; resolves with the exit code. */
export async function stopFirstRun({ child }: FirstRunServer): Promise<number | null> {
  const exited = child.exitCode === null ? once(child, 'close') : [child.exitCode]
  child.kill('SIGINT')
  const [code] = await exited
  return code
}

/** What a newcomer would paste, without the shell: the addresses, headers and bodies of the banner. */
export function stepsOf(banner: string) {
  const [, api = ''] = /Rental Booking API: (\S+)/.exec(banner) ?? []
  const [, key = ''] = /key for servers +(\S+)/.exec(banner) ?? []
  const [, rental = ''] = /-d '(\{"assetGroupId".*?\})'/.exec(banner) ?? []
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return { api, key, rental, headers }
}
