import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { EmbeddedPostgresError } from './errors.ts'
import { programEnv, startFailure } from './failure.ts'
import type { Identity } from './identity.ts'
import { type LifelineProcess, startOnLifeline } from './lifeline.ts'
import { isServerOf, type PostmasterPid, readPostmasterPid } from './postmasterPid.ts'
import { port } from './socketUrl.ts'

// Replaying the log after a crash takes far less than this, even on a slow disk.
const startTimeoutMs = 120_000

export interface ServerOptions {
  readonly dataDirectory: string
  readonly binaries: Binaries
  readonly identity: Identity | undefined
  readonly durable: boolean
  readonly socketDirectory: string
  readonly removeOnExit: readonly string[]
}

function settings({ durable, socketDirectory }: ServerOptions): string[] {
  const safety = durable ? 'on' : 'off'
  return Object.entries({
    listen_addresses: '',
    port,
    unix_socket_directories: socketDirectory,
    unix_socket_permissions: '0700',
    max_connections: durable ? 100 : 200,
    fsync: safety,
    synchronous_commit: safety,
    full_page_writes: safety,
    timezone: 'UTC',
    log_timezone: 'UTC',
    logging_collector: 'off',
    log_destination: 'stderr',
    // Refused statements are the client's to report; here they would also show personal data.
    log_min_messages: 'log',
    log_checkpoints: 'off',
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** The refusal when another server already works on the data. */
function inUse(dataDirectory: string, pid?: number): EmbeddedPostgresError {
  const who = pid === undefined ? 'another PostgreSQL process' : `PostgreSQL process ${pid}`
  return new EmbeddedPostgresError(
    `The embedded database in ${dataDirectory} is already in use by ${who}. ` +
      'Stop the server that started it, or set DATA_DIR to another directory.',
  )
}

/** The server that works on a data directory right now, if there is one. */
export async function runningServer(dataDirectory: string): Promise<PostmasterPid | undefined> {
  const found = await readPostmasterPid(dataDirectory)
  return found && (await isServerOf(dataDirectory, found.pid)) ? found : undefined
}

/**
 * Starts PostgreSQL on a data directory and resolves when it accepts connections.
 * Throws EmbeddedPostgresError with its last words when it doesn't, or when the data is in use.
 */
export async function startServer(options: ServerOptions): Promise<LifelineProcess> {
  const { dataDirectory, binaries, identity, removeOnExit } = options
  const left = await readPostmasterPid(dataDirectory)
  if (left && (await isServerOf(dataDirectory, left.pid))) throw inUse(dataDirectory, left.pid)

  const server = startOnLifeline({
    command: join(binaries.directory, 'bin', 'postgres'),
    args: ['-D', dataDirectory, ...settings(options)],
    // What is left of a crash may name a process id that something else has by now, which
    // PostgreSQL takes for a rival. It looks past an id that it is told to be its grandparent's.
    env: { ...programEnv, ...(left && { PG_GRANDPARENT_PID: String(left.pid) }) },
    identity,
    removeOnExit,
  })
  try {
    await server.line(/database system is ready to accept connections/, startTimeoutMs)
    return server
  } catch (error) {
    await server.stop()
    const lines = server.recentLines()
    if (lines.some((line) => line.includes('lock file "postmaster.pid" already exists'))) {
      throw inUse(dataDirectory, (await readPostmasterPid(dataDirectory))?.pid)
    }
    throw startFailure('did not start', lines, error)
  }
}
