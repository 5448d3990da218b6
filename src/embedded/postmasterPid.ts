import { execFile } from 'node:child_process'
import { readFile, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hasCode } from '../hasCode.ts'

/** What a server writes into its data directory's postmaster.pid. */
export interface PostmasterPid {
  readonly pid: number
  readonly socketDirectory: string
  /** `starting`, `ready`, `stopping`, `standby`; empty until the server has got that far. */
  readonly status: string
}

/** Reads postmaster.pid; undefined when there is none or its server has not filled it yet. */
export async function readPostmasterPid(dataDirectory: string): Promise<PostmasterPid | undefined> {
  try {
    const lines = (await readFile(join(dataDirectory, 'postmaster.pid'), 'utf8')).split('\n')
    const pid = Number(lines[0])
    if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
    return { pid, socketDirectory: lines[4]?.trim() ?? '', status: lines[7]?.trim() ?? '' }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

/**
 * Tells whether a process is the server of a data directory. After a crash its id may belong to
 * something else: a server works in its data directory, and nothing else has a reason to.
 */
export async function isServerOf(dataDirectory: string, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false
  if (process.platform === 'linux') {
    try {
      return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(dataDirectory))
    } catch {
      // Gone meanwhile, or of a user whose processes we can't look into: not one of ours.
      return false
    }
  }
  const { stdout } = await promisify(execFile)('ps', ['-p', String(pid), '-o', 'command=']).catch(
    () => ({ stdout: '' }),
  )
  return stdout.includes('postgres')
}
