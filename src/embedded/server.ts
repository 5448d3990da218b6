import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import { DataInUseError, failureOf } from './errors.ts'
import { isSingleCommand, makeRunDirectory, port, type ServerSettings, urlOf } from './paths.ts'
import { isServerOf, readPostmasterPid } from './postmasterPid.ts'
import { programEnv, startSupervised } from './supervisedProcess.ts'

// Recovery after a crash takes far less than this, even on a slow disk.
const startTimeoutMs = 120_000
// PostgreSQL writes a checkpoint while it stops.
const stopTimeoutMs = 30_000
const pollMs = 25

function argumentsOf({ settings }: ServerSettings, socketDirectory: string): string[] {
  return Object.entries({
    listen_addresses: '',
    port,
    unix_socket_directories: socketDirectory,
    unix_socket_permissions: '0700',
    timezone: 'UTC',
    log_timezone: 'UTC',
    logging_collector: 'off',
    log_destination: 'stderr',
    // Log no failed statements: clients report them, and they contain personal data.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    ...settings,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

function inUse(dataDirectory: string, pid?: number): DataInUseError {
  const who = pid === undefined ? 'another PostgreSQL process' : `PostgreSQL process ${pid}`
  return new DataInUseError(
    `The embedded database in ${dataDirectory} is already in use by ${who}. End the server or ` +
      'the command that started it, or set DATA_DIR to another directory.',
  )
}

/**
 * Returns the server of a data directory. `runs` is false for the postmaster.pid that a crashed
 * server left.
 */
async function serverOf(dataDirectory: string) {
  const found = await readPostmasterPid(dataDirectory)
  if (!found) return undefined
  const { pid, socketDirectory } = found
  const status =
    found.status === 'ready' && isSingleCommand(socketDirectory) ? 'singleCommand' : found.status
  return { pid, socketDirectory, status, runs: await isServerOf(dataDirectory, pid) }
}

/**
 * Waits until the server's status is not in `transientStatuses`, the server has ended, or `limitMs` has
 * elapsed, and returns the server.
 */
export async function waitForStableServer(
  dataDirectory: string,
  limitMs: number,
  ...transientStatuses: readonly string[]
) {
  for (const startedMs = performance.now(); ; await delay(pollMs)) {
    const found = await serverOf(dataDirectory)
    const late = performance.now() - startedMs > limitMs
    if (!found?.runs || !transientStatuses.includes(found.status) || late) return found
  }
}

/**
 * Starts PostgreSQL on a data directory and resolves when it accepts connections. First waits for a
 * server that is stopping or serves one command.
 * @throws EmbeddedPostgresError when it does not start, or the data is in use
 */
export async function startServer(start: ServerSettings, binaries: Binaries) {
  const { dataDirectory, identity } = start
  const left = await waitForStableServer(dataDirectory, stopTimeoutMs, 'stopping', 'singleCommand')
  if (left?.runs) throw inUse(dataDirectory, left.pid)
  const socketDirectory = await makeRunDirectory(start)
  const removeOnExit = [...start.removeOnExit, socketDirectory]
  const server = startSupervised({
    command: join(binaries.directory, 'bin', 'postgres'),
    args: ['-D', dataDirectory, ...argumentsOf(start, socketDirectory)],
    // After a crash, another process may have reused the ID in postmaster.pid, and PostgreSQL would
    // refuse to start. It ignores that process if this variable has the same ID.
    env: { ...programEnv, ...(left && { PG_GRANDPARENT_PID: String(left.pid) }) },
    identity,
    removeOnExit,
  })
  const stop = async () => {
    await server.stop()
    // The supervising shell runs as the server's user, who may not be allowed to remove these
    // paths.
    for (const path of removeOnExit) await rm(path, { recursive: true, force: true })
  }
  try {
    await server.line(/database system is ready to accept connections/, startTimeoutMs)
    return { ...server, stop, url: urlOf(socketDirectory) }
  } catch (error) {
    await stop()
    const lines = server.recentLines()
    // An empty lock file belongs to a server that is starting.
    if (lines.some((line) => /lock file "postmaster.pid" (already exists|is empty)/.test(line))) {
      throw inUse(dataDirectory, (await readPostmasterPid(dataDirectory))?.pid)
    }
    throw failureOf(start, 'did not start', lines, error)
  }
}
