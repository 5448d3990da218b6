import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { compiledServer } from './compiledServer.ts'
import { waitFor } from './waitFor.ts'

/** A server as started by `npm start` on a machine that has only Node, with the embedded database. */
export interface FirstRunServer {
  readonly child: ChildProcess
  /** The output until the server was ready or had ended. */
  readonly banner: string
  output(): string
}

const startTimeoutMs = 120_000
const lastLine = 'bookings confirm'

/** Returns a minimal environment with a data directory and a free port. */
export const firstRunEnvironment = (dataDir: string) => ({
  PATH: process.env['PATH'],
  DATA_DIR: dataDir,
  PORT: '0',
})

interface StartOptions extends SpawnOptions {
  readonly env?: Record<string, string>
  /** The command to start, such as npm. Default: the compiled server. */
  readonly command?: readonly string[]
  /** The output to wait for. Default: the banner's last line. */
  readonly until?: string
}

/** Starts the server with umask 022; resolves when it is ready or has ended. */
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

/** Sends SIGINT; resolves with the exit code. */
export async function stopFirstRun({ child }: FirstRunServer): Promise<number | null> {
  const exited = child.exitCode === null ? once(child, 'close') : [child.exitCode]
  child.kill('SIGINT')
  const [code] = await exited
  return code
}

/** Returns the address, key, headers and body of the example commands in the banner. */
export function stepsOf(banner: string) {
  const [, api = ''] = /Rental Booking API: (\S+)/.exec(banner) ?? []
  const [, key = ''] = /key for servers +(\S+)/.exec(banner) ?? []
  const [, rental = ''] = /-d '(\{"assetGroupId".*?\})'/.exec(banner) ?? []
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return { api, key, rental, headers }
}
