import { execFile } from 'node:child_process'
import { chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type DatabaseSource, startEmbeddedPostgres } from '../../../src/embedded/postgres.ts'
import { readPostmasterPid } from '../../../src/embedded/postmasterPid.ts'
import { unprivilegedUser } from '../../../src/embedded/runAsUser.ts'
import { waitFor } from '../waitFor.ts'

/** A PostgreSQL that nobody shares, so that it may be killed and paused. */
export interface OwnPostgres {
  /** Changes with every start: reach it through a proxy that is told. */
  url(): string
  start(): Promise<void>
  /** SIGKILL to the server and everything it started. */
  kill(): Promise<void>
  /** SIGSTOP to the same. */
  pause(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}

const restartTimeoutMs = 60_000

async function childrenOf(parent: number): Promise<number[]> {
  // A bare Linux has no `ps`, and macOS no /proc.
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
      // A process may have ended since the list was made.
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

/** Starts an empty server on throw-away data; `start` after `kill` uses the same data again. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const directory = await mkdtemp(join(tmpdir(), 'rental-fault-'))
  if (process.getuid?.() === 0) await chown(directory, unprivilegedUser.uid, unprivilegedUser.gid)
  let running: DatabaseSource | undefined
  // Durable, as in production: what was told as booked must survive being killed.
  const options = { directory, stateDirectory: join(directory, 'state') }

  const signalAll = async (signal: NodeJS.Signals) => {
    const postmaster = (await readPostmasterPid(join(directory, 'postgres')))?.pid
    if (postmaster === undefined) throw new Error(`No server runs in ${directory}`)
    // The postmaster first: it would otherwise look after children that end or stop.
    for (const pid of [postmaster, ...(await childrenOf(postmaster))]) {
      try {
        process.kill(pid, signal)
      } catch {
        // Gone between being listed and being signalled.
      }
    }
  }
  const own: OwnPostgres = {
    url: () => running?.url ?? 'postgresql://nowhere.invalid',
    async start() {
      // Killed backends may hold on to the shared memory for a moment.
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
      await running?.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
  await own.start()
  return own
}
