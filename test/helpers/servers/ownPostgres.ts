import { execFile } from 'node:child_process'
import { chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type DatabaseSource, startEmbeddedPostgres } from '../../../src/embedded/postgres.ts'
import { readPostmasterPid } from '../../../src/embedded/postmasterPid.ts'
import { unprivilegedUser } from '../../../src/embedded/runAsUser.ts'
import { waitFor } from '../waitFor.ts'

/** A PostgreSQL that is not shared, so that a test may kill and pause it. */
export interface OwnPostgres {
  /** Returns the URL, which changes with every start. */
  url(): string
  start(): Promise<void>
  /** Sends SIGKILL to the server and its child processes. */
  kill(): Promise<void>
  /** Sends SIGSTOP to the server and its child processes. */
  pause(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}

const restartTimeoutMs = 60_000

async function childrenOf(parent: number): Promise<number[]> {
  // A minimal Linux has no `ps`, and macOS has no /proc.
  const processes = process.platform === 'linux' ? await processesInProc() : await processesByPs()
  return processes.filter(({ parentPid }) => parentPid === parent).map(({ pid }) => pid)
}

interface Process {
  readonly pid: number
  readonly parentPid: number
}

async function processesInProc(): Promise<Process[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return Promise.all(
    pids.map(async (pid) => {
      // The process may have ended since the listing.
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      const [, parentPid] = /\) \S (\d+)/.exec(stat) ?? []
      return { pid: Number(pid), parentPid: Number(parentPid) }
    }),
  )
}

async function processesByPs(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,ppid='])
  return stdout.split('\n').map((line) => {
    const [pid = 0, parentPid = 0] = line.trim().split(/\s+/).map(Number)
    return { pid, parentPid }
  })
}

/** Starts a server on temporary data. A `start` after `kill` uses the same data. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const directory = await mkdtemp(join(tmpdir(), 'rental-fault-'))
  if (process.getuid?.() === 0) await chown(directory, unprivilegedUser.uid, unprivilegedUser.gid)
  let running: DatabaseSource | undefined
  // Durable settings as in production: acknowledged bookings must survive a kill.
  const options = { directory, stateDirectory: join(directory, 'state') }

  const signalAll = async (signal: NodeJS.Signals) => {
    const postmaster = (await readPostmasterPid(join(directory, 'postgres')))?.pid
    if (postmaster === undefined) throw new Error(`No server runs in ${directory}`)
    // The postmaster first, because it reacts to children that end or stop.
    for (const pid of [postmaster, ...(await childrenOf(postmaster))]) {
      try {
        process.kill(pid, signal)
      } catch {
        // The process has ended since the listing.
      }
    }
  }
  const own: OwnPostgres = {
    url: () => running?.url ?? 'postgresql://nowhere.invalid',
    async start() {
      // Killed backends may hold the shared memory for a moment.
      running = await waitFor(
        () => startEmbeddedPostgres(options).catch(() => undefined),
        restartTimeoutMs,
      )
    },
    async kill() {
      await signalAll('SIGKILL')
      await running?.stop()
    },
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    async stop() {
      // A paused server, left by a failed test, would never stop.
      await signalAll('SIGCONT').catch(() => {})
      await running?.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
  await own.start()
  return own
}
