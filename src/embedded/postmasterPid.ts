import { execFile } from 'node:child_process'
import { readFile, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { undefinedIfMissing } from '../config/files.ts'

/**
 * Reads the postmaster.pid of a data directory. Returns undefined when it is missing or empty. The
 * status is `starting`, `ready`, `stopping`, `standby`, or '' when not written yet.
 */
export async function readPostmasterPid(dataDirectory: string) {
  const text = await undefinedIfMissing(readFile(join(dataDirectory, 'postmaster.pid'), 'utf8'))
  const lines = text?.split('\n') ?? []
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
  return { pid, socketDirectory: lines[4]?.trim() ?? '', status: lines[7]?.trim() ?? '' }
}

/**
 * Reports whether a process is the server of a data directory. Checks its working directory,
 * because after a crash the process ID may have been reused.
 */
export async function isServerOf(dataDirectory: string, pid: number): Promise<boolean> {
  try {
    if (process.platform === 'linux') {
      return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(dataDirectory))
    }
    const { stdout } = await promisify(execFile)('ps', ['-p', String(pid), '-o', 'command='])
    return stdout.includes('postgres')
  } catch {
    // The process has ended, or belongs to another user.
    return false
  }
}
