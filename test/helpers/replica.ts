import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { roomyLimits, sessionSecret } from './app.ts'
import { compiledServer } from './compiledServer.ts'
import { waitFor } from './waitFor.ts'

/** A server in its own process, started as in production. */
export interface Replica {
  /** `http://127.0.0.1:…`, without a path. */
  readonly url: string
  readonly pid: number
  signal(name: NodeJS.Signals): void
  /** Resolves with the exit code when the process has ended; null after SIGKILL. */
  readonly exited: Promise<number | null>
  lines(): readonly string[]
  /** Sends SIGKILL and waits for the end, even of a stopped process. Safe to call twice. */
  kill(): Promise<void>
}

export interface ReplicaOptions {
  readonly databaseUrl: string
  readonly redisUrl: string
  /** The server's entry. Default: the compiled server. */
  readonly entry?: string | undefined
  readonly env?: Readonly<Record<string, string>>
  /** Options of Node, such as `--import` or a small heap. */
  readonly nodeOptions?: readonly string[]
}

const startTimeoutMs = 60_000
const linesMax = 40

/**
 * Starts a replica on a free port; resolves when it listens.
 * @throws Error with its last log lines if it does not start
 */
export async function startReplica(options: ReplicaOptions): Promise<Replica> {
  const { databaseUrl, redisUrl, env = {}, nodeOptions = [] } = options
  const entry = options.entry ?? (await compiledServer())
  const child = spawn(process.execPath, [...nodeOptions, entry], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      PORT: '0',
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      SESSION_SECRETS: sessionSecret,
      ...roomyLimits,
      ...env,
    },
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const lines: string[] = []
  let url: string | undefined
  for (const output of [child.stdout, child.stderr]) {
    createInterface({ input: output }).on('line', (line) => {
      lines.push(line)
      if (lines.length > linesMax) lines.shift()
      url ??= /listening at (http:\/\/[\d.]+:\d+)/.exec(line)?.[1]
    })
  }
  // `close` and not `exit`: after `exit` the last lines may still arrive.
  const exited = once(child, 'close').then(([code]) => {
    process.off('exit', kill)
    return code as number | null
  })
  let ended = false
  void exited.then(() => {
    ended = true
  })
  await waitFor(() => ended || url !== undefined, startTimeoutMs)
  if (url === undefined) throw new Error(`A replica did not start:\n${lines.join('\n')}`)
  return {
    url,
    pid: child.pid ?? 0,
    exited,
    lines: () => [...lines],
    signal: (name) => {
      child.kill(name)
    },
    async kill() {
      kill()
      await exited
    },
  }
}
