import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSupervised } from '../../../src/embedded/supervisedProcess.ts'
import { proxiedUrl } from '../faultProxy.ts'
import { freePort } from '../freePort.ts'
import { findProgram } from './findProgram.ts'
import type { TestServer } from './testServer.ts'

const startTimeoutMs = 60_000
/** Fewer connections than the API's pools, so that code that needs one fixed session fails. */
const serverConnectionsMax = 5

/** Starts PgBouncer in transaction mode in front of the server of `databaseUrl`. */
export async function startPgBouncer(databaseUrl: string): Promise<TestServer> {
  const program = await findProgram({
    names: ['pgbouncer'],
    debianPackage: 'pgbouncer',
    advice:
      'The tests need PgBouncer: install it (apt-get install pgbouncer, brew install pgbouncer, ' +
      'apk add pgbouncer, dnf install pgbouncer).',
  })
  const directory = await mkdtemp(join(tmpdir(), 'rental-pooler-'))
  const { hostname, port, username, password, searchParams } = new URL(databaseUrl)
  const given = { host: searchParams.get('host') ?? hostname, port, user: username, password }
  const target = Object.entries(given).filter(([, value]) => value !== '')
  const listenPort = await freePort()
  const config = join(directory, 'pgbouncer.ini')
  const lines = [
    '[databases]',
    `* = ${target.map(([name, value]) => `${name}=${decodeURIComponent(value)}`).join(' ')}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${listenPort}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'max_client_conn = 200',
    `default_pool_size = ${serverConnectionsMax}`,
    // PgBouncer refuses to run as root. It reads the config, which only root can read, before switching.
    ...(process.getuid?.() === 0 ? ['user = nobody'] : []),
  ]
  await writeFile(config, lines.join('\n'))
  const server = startSupervised({
    command: program.command,
    args: [config],
    env: program.env,
    stopSignal: 'TERM',
    removeOnExit: [directory],
  })
  const stop = async () => {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  }
  try {
    await server.line(/process up/, startTimeoutMs)
  } catch (error) {
    await stop()
    throw new Error(`PgBouncer did not start:\n${server.recentLines().join('\n')}`, {
      cause: error,
    })
  }
  const url = new URL(proxiedUrl(databaseUrl, { port: listenPort }))
  // PgBouncer rejects these settings of the embedded database's URL.
  for (const name of ['replication', 'options']) url.searchParams.delete(name)
  return { url: url.href, stop }
}
