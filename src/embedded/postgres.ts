import { locateBinaries, usableBinaries } from './binaries.ts'
import { ensureCluster } from './cluster.ts'
import { DataInUseError, EmbeddedPostgresError } from './errors.ts'
import { dataDirectoryOf, reachableDataDirectory, type Start, urlOf } from './paths.ts'
import { identityFor } from './runAsUser.ts'
import { settledServer, startServer } from './server.ts'

const readyTimeoutMs = 10_000

export interface EmbeddedPostgresOptions
  extends Partial<Omit<Start, 'dataDirectory' | 'identity'>> {
  /** DATA_DIR: the data is in `postgres` within it. Made when it isn't there. */
  readonly directory: string
}

/** A server to connect to, and how to end it if it is ours. */
export type DatabaseSource = Awaited<ReturnType<typeof startEmbeddedPostgres>>

/** A server that somebody else ends. */
export function externalServer(url: string): DatabaseSource {
  return { url, stop: async () => {} }
}

/**
 * Starts the PostgreSQL that came with npm, on the data in `directory`, making it when there is
 * none. It ends with this process, however that ends. Resolves when it accepts connections.
 * @throws EmbeddedPostgresError, whose message says what to do, when it can't
 */
export async function startEmbeddedPostgres({ directory, ...given }: EmbeddedPostgresOptions) {
  const intended = {
    stateDirectory: '/var/lib/rental-booking-api',
    settings: {},
    brief: false,
    removeOnExit: [],
    log: () => {},
    ...given,
    dataDirectory: await dataDirectoryOf(directory),
  }
  const identity = await identityFor(intended.dataDirectory)
  const installed = await locateBinaries()
  const dataDirectory = await reachableDataDirectory({ ...intended, identity })
  const start: Start = { ...intended, identity, dataDirectory }
  const binaries = await usableBinaries(start, installed)
  await ensureCluster(start, binaries)
  const server = await startServer(start, binaries)
  let stopping = false
  void server.exited.then((exitCode) => {
    if (!stopping)
      start.log('the embedded database ended', { exitCode, lines: server.recentLines() })
  })
  return {
    /** For `new pg.Pool({ connectionString: url })`, drizzle-kit and psql. */
    url: server.url,
    /** Ends the server (a fast shutdown), resolving when it is gone. Safe to call twice. */
    async stop() {
      stopping = true
      await server.stop()
    },
  }
}

const attemptsMax = 5

/**
 * The server that another process runs on the data in `directory`, or else one of our own, for one
 * command.
 * @throws EmbeddedPostgresError when there is none to be had
 */
export async function joinOrStartEmbedded(directory: string): Promise<DatabaseSource> {
  for (let attempt = 1; ; attempt++) {
    const running = await findRunningEmbedded(directory)
    if (running) return running
    try {
      return await startEmbeddedPostgres({ directory, brief: true })
    } catch (error) {
      // Another one was faster between the two.
      if (!(error instanceof DataInUseError) || attempt === attemptsMax) throw error
    }
  }
}

/**
 * Finds the server that another process runs on the data in `directory`, and which is not ours to
 * `stop()`. Waits for one that is just starting or stopping, and some seconds for one of another command. Undefined: none runs.
 * @throws EmbeddedPostgresError when it does neither in time
 */
export async function findRunningEmbedded(directory: string): Promise<DatabaseSource | undefined> {
  const dataDirectory = await dataDirectoryOf(directory)
  await identityFor(dataDirectory)
  const found = await settledServer(
    dataDirectory,
    readyTimeoutMs,
    'starting',
    'stopping',
    'brief',
    '',
  )
  if (!found?.runs) return undefined
  if (found.status === 'ready' || found.status === 'brief')
    return externalServer(urlOf(found.socketDirectory))
  throw new EmbeddedPostgresError(
    `The embedded database in ${dataDirectory} (process ${found.pid}) is still starting ` +
      'or stopping. Try again in a moment.',
  )
}
