import { locateBinaries, usableBinaries } from './binaries.ts'
import { ensureCluster } from './cluster.ts'
import { DataInUseError, EmbeddedPostgresError, failureOf, type OnLost } from './errors.ts'
import { dataDirectoryOf, reachableDataDirectory, type ServerSettings, urlOf } from './paths.ts'
import { isServerOf } from './postmasterPid.ts'
import { identityFor } from './runAsUser.ts'
import { startServer, waitForStableServer } from './server.ts'

const readyTimeoutMs = 10_000
const checkMs = 1_000

export interface EmbeddedPostgresOptions
  extends Partial<Omit<ServerSettings, 'dataDirectory' | 'identity'>> {
  /** DATA_DIR, created if missing. The data is in its subdirectory `postgres`. */
  readonly directory: string
}

/** A database server to connect to. `stop()` ends only a server that this process started. */
export type DatabaseSource = Awaited<ReturnType<typeof startEmbeddedPostgres>>

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
    onLost: () => {},
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
  server.onExit((exitCode) => {
    const sentence = `stopped unexpectedly (exit code ${exitCode})`
    if (!stopping) start.onLost(failureOf(start, sentence, server.recentLines()))
  })
  return {
    /** For `new pg.Pool({ connectionString: url })` and drizzle-kit. */
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
export async function joinOrStartEmbedded(directory: string, onLost: OnLost) {
  for (let attempt = 1; ; attempt++) {
    const running = await findRunningEmbedded(directory, onLost)
    if (running) return running
    try {
      return await startEmbeddedPostgres({ directory, singleCommand: true, onLost })
    } catch (error) {
      // Another process has started a server since `findRunningEmbedded`, so look again.
      if (!(error instanceof DataInUseError) || attempt === attemptsMax) throw error
    }
  }
}

/**
 * Returns the server that another process runs on the data in `directory`, or undefined. Waits up
 * to ten seconds for a server that is starting, stopping or running for another command. Until
 * `stop()`, `onLost` is called when that server has ended.
 * @throws EmbeddedPostgresError when the server is still starting or stopping then
 */
export async function findRunningEmbedded(directory: string, onLost: OnLost = () => {}) {
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
  const { pid, status, socketDirectory } = found
  if (status === 'ready' || status === 'singleCommand') {
    const ended = `The embedded database in ${dataDirectory} (process ${pid}) has ended.`
    const check = setInterval(async () => {
      if (!(await isServerOf(dataDirectory, pid))) onLost(new EmbeddedPostgresError(ended))
    }, checkMs).unref()
    return { url: urlOf(socketDirectory), stop: async () => clearInterval(check) }
  }
  throw new EmbeddedPostgresError(
    `The embedded database in ${dataDirectory} (process ${pid}) is still starting ` +
      'or stopping. Try again in a moment.',
  )
}
