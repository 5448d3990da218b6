import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startSupervised } from '../../../src/embedded/supervisedProcess.ts'
import { freePort } from '../freePort.ts'
import { waitFor } from '../waitFor.ts'
import { findHaproxy } from './findHaproxy.ts'

const configFile = resolve(import.meta.dirname, '../../../docker/haproxy/haproxy.cfg')
const startTimeoutMs = 60_000

/** The proxy of docker-compose.yml with its production configuration. */
export interface RunningProxy {
  /** `http://127.0.0.1:…`, without a path. */
  readonly url: string
  /** Returns the replicas that receive requests at present: `api-1-1`, `api-2-1`. */
  serving(): Promise<string[]>
  lines(): readonly string[]
  stop(): Promise<void>
}

/**
 * Starts the proxy in front of two replicas, given as `host:port`.
 * @throws Error with its last log lines if it does not start
 */
export async function startProxy(
  [first, second]: readonly [string, string],
  env: Readonly<Record<string, string>> = {},
): Promise<RunningProxy> {
  const program = await findHaproxy()
  const directory = await mkdtemp(join(tmpdir(), 'rental-proxy-'))
  const socket = join(directory, 'admin.sock')
  const admin = join(directory, 'admin.cfg')
  await writeFile(admin, `global\n  stats socket ${socket} mode 600\n`)
  const port = await freePort()
  const server = startSupervised({
    command: program.command,
    args: ['-db', '-f', configFile, '-f', admin],
    env: { ...program.env, BIND: `127.0.0.1:${port}`, API_1: first, API_2: second, ...env },
    stopSignal: 'TERM',
    removeOnExit: [directory],
  })
  let ended = false
  void server.exited.then(() => {
    ended = true
  })
  const serving = async () => {
    const rows = (await runCommand(socket, 'show stat')).split('\n').map((line) => line.split(','))
    const statusAt = rows[0]?.indexOf('status') ?? -1
    const up = rows.filter((row) => row[0] === 'api' && row[statusAt]?.startsWith('UP'))
    return up.map((row) => row[1] ?? '').filter((name) => name !== 'BACKEND')
  }
  const accepts = () =>
    serving().then(
      () => true,
      () => ended,
    )
  await waitFor(accepts, startTimeoutMs)
  if (ended) throw new Error(`HAProxy did not start:\n${server.recentLines().join('\n')}`)
  return {
    url: `http://127.0.0.1:${port}`,
    serving,
    lines: server.recentLines,
    async stop() {
      await server.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function runCommand(path: string, command: string): Promise<string> {
  const socket = connect(path)
  socket.end(`${command}\n`)
  let response = ''
  socket.on('data', (data) => {
    response += data
  })
  await once(socket, 'close')
  return response
}
