import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import { DataInUseError, startFailure } from './errors.ts'
import { isSingleCommand, makeRunDirectory, port, type Start, urlOf } from './paths.ts'
import { isServerOf, readPostmasterPid } from './postmasterPid.ts'
import { programEnv, startSupervised } from './supervisedProcess.ts'

// Replaying the log after a crash takes far less than this, even on a slow disk.
const startTimeoutMs = 120_000
// PostgreSQL writes a last checkpoint while it stops.
const stopTimeoutMs = 30_000
const pollMs = 25

function argumentsOf({ settings }: Start, socketDirectory: string): string[] {
  return Object.entries({
    listen_addresses: '',
    port,
    // A list, which a comma in TMPDIR would part.
    unix_socket_directories: `"${socketDirectory.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    timezone: 'UTC',
    log_timezone: 'UTC',
    logging_collector: 'off',
    log_destination: 'stderr',
    // Refused statements are the client's to report; here they would also show personal data.
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

/** What runs on a data directory, or what one that crashed has left there. */
async function serverOf(dataDirectory: string) {
  const found = await readPostmasterPid(dataDirectory)
  if (!found) return undefined
  const { pid, socketDirectory } = found
  const status =
    found.status === 'ready' && isSingleCommand(socketDirectory) ? 'brief' : found.status
  return { pid, socketDirectory, status, runs: await isServerOf(dataDirectory, pid) }
}

/** What `serverOf` finds once a server with another status than these runs, none runs, or time is up. */
export async function settledServer(
  dataDirectory: string,
  limitMs: number,
  ...passing: readonly string[]
) {
  for (const startedMs = performance.now(); ; await delay(pollMs)) {
    const found = await serverOf(dataDirectory)
    const late = performance.now() - startedMs > limitMs
    if (!found?.runs || !passing.includes(found.status) || late) return found
  }
}

/**
 * Starts PostgreSQL on a data directory, once one that is stopping there, or serves one command, has ended, and resolves
 * when it accepts connections.
 * @throws EmbeddedPostgresError with its last words when it doesn't, or when the data is in use
 */
export async function startServer(start: Start, binaries: Binaries) {
  const { dataDirectory, identity } = start
  const left = await settledServer(dataDirectory, stopTimeoutMs, 'stopping', 'brief')
  if (left?.runs) throw inUse(dataDirectory, left.pid)
  const socketDirectory = await makeRunDirectory(start)
  const removeOnExit = [...start.removeOnExit, socketDirectory]
  const server = startSupervised({
    command: join(binaries.directory, 'bin', 'postgres'),
    args: ['-D', dataDirectory, ...argumentsOf(start, socketDirectory)],
    // What is left of a crash may name a process id that something else has by now, which
    // PostgreSQL takes for a rival. It looks past an id that it is told to be its grandparent's.
    env: { ...programEnv, ...(left && { PG_GRANDPARENT_PID: String(left.pid) }) },
    identity,
    removeOnExit,
  })
  const stop = async () => {
    await server.stop()
    // The server's user may lack the right.
    for (const path of removeOnExit) await rm(path, { recursive: true, force: true })
  }
  try {
    await server.line(/database system is ready to accept connections/, startTimeoutMs)
    return { ...server, stop, url: urlOf(socketDirectory) }
  } catch (error) {
    await stop()
    const lines = server.recentLines()
    // Empty: its owner is just about to write it.
    if (lines.some((line) => /lock file "postmaster.pid" (already exists|is empty)/.test(line))) {
      throw inUse(dataDirectory, (await readPostmasterPid(dataDirectory))?.pid)
    }
    throw startFailure('did not start', lines, error)
  }
}
