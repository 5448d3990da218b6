import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { locateBinaries, usableBinaries } from './binaries.ts'
import { ensureCluster } from './cluster.ts'
import { DataInUseError, EmbeddedPostgresError, type Log } from './errors.ts'
import { type Identity, identityFor } from './identity.ts'
import {
  dataDirectoryOf,
  isBrief,
  makeRunDirectory,
  reachableDataDirectory,
  urlOf,
} from './places.ts'
import { markStopping, unmarkStopping } from './postmasterPid.ts'
import { runningServer, startServer } from './server.ts'

const readyTimeoutMs = 10_000
const readyPollMs = 25

export interface EmbeddedPostgresOptions {
  /** DATA_DIR: the data is in `postgres` within it. Made when it isn't there. */
  readonly directory: string
  /** False gives up safety from crashes for speed, and leaves nothing behind but the data. */
  readonly durable: boolean
  /** For one command: others wait for its end rather than being cut off by it. */
  readonly brief?: boolean
  readonly log?: Log
  /** Where root keeps what the unprivileged server could not reach in the project's directory. */
  readonly stateDirectory?: string
  /** Removed when the server has ended, even if this process was killed. */
  readonly removeOnExit?: readonly string[]
}

export interface EmbeddedPostgres {
  /** For `new pg.Pool({ connectionString: url })`, drizzle-kit and psql. */
  readonly url: string
  /** Has a start on the same data wait for the end of this server, which may still take a while. */
  announceStop(): Promise<void>
  /** Ends the server (a fast shutdown), resolving when it is gone. Safe to call twice. */
  stop(): Promise<void>
}

/**
 * Starts the PostgreSQL that came with npm, on the data in `directory`, making it when there is
 * none. It ends with this process, however that ends. Resolves when it accepts connections.
 * Throws EmbeddedPostgresError, whose message says what to do, when it can't.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => {})
  const intended = await dataDirectoryOf(options.directory)
  const identity = await identityFor(intended)
  const temporary: string[] = []
  const removeTemporary = async () => {
    for (const path of temporary) await rm(path, { recursive: true, force: true })
  }
  try {
    const start = { ...options, log, intended, identity, temporary }
    const { server, dataDirectory, url } = await startIn(start)
    let stopping = false
    void server.exited.then((exitCode) => {
      if (!stopping) log('the embedded database ended', { exitCode, lines: server.recentLines() })
    })
    return {
      url,
      announceStop: () => markStopping(dataDirectory),
      async stop() {
        stopping = true
        await server.stop()
        await unmarkStopping(dataDirectory)
        await removeTemporary()
      },
    }
  } catch (error) {
    await removeTemporary()
    throw error
  }
}

interface Start extends EmbeddedPostgresOptions {
  readonly log: Log
  readonly intended: string
  readonly identity: Identity | undefined
  /** Collects the directories that end with the server. */
  readonly temporary: string[]
}

async function temporaryFor({ identity, temporary, brief }: Start): Promise<string> {
  const directory = await makeRunDirectory(identity, brief)
  temporary.push(directory)
  return directory
}

async function startIn(start: Start) {
  const { durable, identity, intended, log, removeOnExit = [] } = start
  const { stateDirectory = '/var/lib/rental-booking-api' } = start
  const installed = await locateBinaries()
  const place = { dataDirectory: intended, identity, stateDirectory, log }
  const dataDirectory = await reachableDataDirectory(place)
  const keepIn = identity ? stateDirectory : dirname(dataDirectory)
  const binaries = await usableBinaries(installed, {
    identity,
    copyTo: async () =>
      durable
        ? join(keepIn, `postgres-${installed.version}`)
        : join(await temporaryFor(start), 'native'),
    copyOwner: durable ? undefined : identity,
    log,
  })
  const temporary = () => [...start.temporary, ...removeOnExit]
  const cluster = { dataDirectory, binaries, identity, durable }
  await ensureCluster({ ...cluster, temporary: temporary() })
  const socketDirectory = await temporaryFor(start)
  const server = await startServer({ ...cluster, socketDirectory, temporary: temporary(), log })
  return { server, dataDirectory, url: urlOf(socketDirectory) }
}

const attemptsMax = 5

/**
 * The server that another process runs on the data in `directory`, or else one of our own, for one
 * command. Throws EmbeddedPostgresError when there is none to be had.
 */
export async function joinOrStartEmbedded(directory: string): Promise<EmbeddedPostgres> {
  for (let attempt = 1; ; attempt++) {
    const running = await findRunningEmbedded(directory)
    if (running) return running
    try {
      return await startEmbeddedPostgres({ directory, durable: true, brief: true })
    } catch (error) {
      // Another one was faster between the two.
      if (!(error instanceof DataInUseError) || attempt === attemptsMax) throw error
    }
  }
}

/**
 * Finds the server that another process runs on the data in `directory`, waiting for one that is
 * just starting or stopping, and some seconds for one of another command. Undefined: none runs.
 * `stop()` of what it returns does nothing, because the server is not ours to end. Throws
 * EmbeddedPostgresError when it doesn't settle.
 */
export async function findRunningEmbedded(
  directory: string,
): Promise<EmbeddedPostgres | undefined> {
  const dataDirectory = await dataDirectoryOf(directory)
  await identityFor(dataDirectory)
  const deadlineMs = performance.now() + readyTimeoutMs
  for (;;) {
    const running = await runningServer(dataDirectory)
    if (!running) return undefined
    const mayEndSoon = isBrief(running.socketDirectory) && performance.now() <= deadlineMs
    if (running.status === 'ready' && !mayEndSoon) {
      const notOurs = async () => {}
      return { url: urlOf(running.socketDirectory), announceStop: notOurs, stop: notOurs }
    }
    if (performance.now() > deadlineMs) {
      throw new EmbeddedPostgresError(
        `The embedded database in ${dataDirectory} (process ${running.pid}) is still starting ` +
          'or stopping. Try again in a moment.',
      )
    }
    await delay(readyPollMs)
  }
}
