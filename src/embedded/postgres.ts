import { locateBinaries, usableBinaries } from './binaries.ts'
import { ensureCluster } from './cluster.ts'
import { DataInUseError, EmbeddedPostgresError } from './errors.ts'
import { dataDirectoryOf, reachableDataDirectory, type ServerSettings, urlOf } from './paths.ts'
import { identityFor } from './runAsUser.ts'
import { startServer, waitForStableServer } from './server.ts'

const readyTimeoutMs = 10_000

export interface EmbeddedPostgresOptions
  extends Partial<Omit<ServerSettings, 'dataDirectory' | 'identity'>> {
  /** DATA_DIR, created if missing. The data is in its subdirectory `postgres`. */
  readonly directory: string
}

/** A database server to connect to. `stop()` ends only a server that this process started. */
export type DatabaseSource = Awaited<ReturnType<typeof startEmbeddedPostgres>>

/** Returns the source for a server of another process. */
export function externalServer(url: string): DatabaseSource {
  return { url, stop: async () => {} }
}

/**
 * Starts the embedded PostgreSQL on the data in `directory`, which is created if missing. Resolves
 * when it accepts connections. The server ends with this process, even if this process is killed.
 * @throws EmbeddedPostgresError when the server cannot start
 */
export async function startEmbeddedPostgres({ directory, ...given }: EmbeddedPostgresOptions) {
  const options = {
    stateDirectory: '/var/lib/rental-booking-api',
    settings: {},
    singleCommand: false,
    removeOnExit: [],
    log: () => {},
    ...given,
    dataDirectory: await dataDirectoryOf(directory),
  }
  const identity = await identityFor(options.dataDirectory)
  const installed = await locateBinaries()
  const dataDirectory = await reachableDataDirectory({ ...options, identity })
  const start: ServerSettings = { ...options, identity, dataDirectory }
  const binaries = await usableBinaries(start, installed)
  await ensureCluster(start, binaries)
  const server = await startServer(start, binaries)
  let stopping = false
  void server.exited.then((exitCode) => {
    if (!stopping)
      start.log(
        'the embedded database stopped unexpectedly',
        { exitCode, lines: server.recentLines() },
        'error',
      )
  })
  return {
    /** For `new pg.Pool({ connectionString: url })`, drizzle-kit and psql. */
    url: server.url,
    /** Shuts the server down and resolves when it has ended. Safe to call twice. */
    async stop() {
      stopping = true
      await server.stop()
    },
  }
}

const attemptsMax = 5

/**
 * Connects one command to the server that runs on the data in `directory`, or starts one.
 * @throws EmbeddedPostgresError when no server is available
 */
export async function joinOrStartEmbedded(directory: string): Promise<DatabaseSource> {
  for (let attempt = 1; ; attempt++) {
    const running = await findRunningEmbedded(directory)
    if (running) return running
    try {
      return await startEmbeddedPostgres({ directory, singleCommand: true })
    } catch (error) {
      // Another process has started a server since `findRunningEmbedded`, so look again.
      if (!(error instanceof DataInUseError) || attempt === attemptsMax) throw error
    }
  }
}

/**
 * Returns the server that another process runs on the data in `directory`, or undefined. Waits up
 * to ten seconds for a server that is starting, stopping or running for another command.
 * @throws EmbeddedPostgresError when the server is still starting or stopping then
 */
export async function findRunningEmbedded(directory: string): Promise<DatabaseSource | undefined> {
  const dataDirectory = await dataDirectoryOf(directory)
  await identityFor(dataDirectory)
  const found = await waitForStableServer(
    dataDirectory,
    readyTimeoutMs,
    'starting',
    'stopping',
    'singleCommand',
    '',
  )
  if (!found?.runs) return undefined
  if (found.status === 'ready' || found.status === 'singleCommand')
    return externalServer(urlOf(found.socketDirectory))
  throw new EmbeddedPostgresError(
    `The embedded database in ${dataDirectory} (process ${found.pid}) is still starting ` +
      'or stopping. Try again in a moment.',
  )
}
