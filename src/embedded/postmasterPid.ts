import { execFile } from 'node:child_process'
import { readFile, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { undefinedIfMissing } from '../config/files.ts'

/**
 * What a server writes into its data directory's postmaster.pid; undefined when there is none or it
 * is not filled yet. The status is `starting`, `ready`, `stopping` or `standby`, or still empty.
 */
export async function readPostmasterPid(dataDirectory: string) {
  const text = await undefinedIfMissing(readFile(join(dataDirectory, 'postmaster.pid'), 'utf8'))
  const lines = text?.split('\n') ?? []
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
  return { pid, socketDirectory: lines[4]?.trim() ?? '', status: lines[7]?.trim() ?? '' }
}

/**
 * Tells whether a process is the server of a data directory. After a crash its id may belong to
 * something else: a server works in its data directory, and nothing else has a reason to.
 */
export async function isServerOf(dataDirectory: string, pid: number): Promise<boolean> {
  try {
    if (process.platform === 'linux') {
      return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(dataDirectory))
    }
    const { stdout } = await promisify(execFile)('ps', ['-p', String(pid), '-o', 'command='])
    return stdout.includes('postgres')
  } catch {
    // Gone, or of a user whose processes we can't look into: not one of ours.
    return false
  }
}
