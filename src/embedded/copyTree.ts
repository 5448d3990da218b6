import { randomBytes } from 'node:crypto'
import { chmod, cp, lchown, lstat, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../hasCode.ts'
import type { Identity } from './identity.ts'

/** Makes it readable by everybody, even when the original was installed under a strict umask. */
async function copyInto(from: string, to: string, owner: Identity | undefined): Promise<void> {
  // Static libraries are a fifth of the files' size and nothing loads them.
  const filter = (path: string) => !path.endsWith('.a')
  await cp(from, to, { recursive: true, verbatimSymlinks: true, filter })
  const entries = await readdir(to, { recursive: true, withFileTypes: true })
  for (const path of [to, ...entries.map(({ parentPath, name }) => join(parentPath, name))]) {
    const copied = await lstat(path)
    if (!copied.isSymbolicLink()) await chmod(path, copied.mode & 0o100 ? 0o755 : 0o644)
    if (owner) await lchown(path, owner.uid, owner.gid)
  }
}

/** Copies a directory unless it is there. It belongs to `owner`, or to whoever runs this process. */
export function copyTreeOnce(from: string, to: string, owner: Identity | undefined): Promise<void> {
  const half = `${to}.${randomBytes(6).toString('hex')}`
  return putWhole(half, to, () => copyInto(from, half, owner))
}

/**
 * Has a directory made as `half`, then moves it: it appears whole or not at all. Several processes
 * may try at once; what the first has made is as good as the others'.
 */
export async function putWhole(half: string, to: string, make: () => Promise<void>): Promise<void> {
  try {
    await make()
    await rename(half, to)
  } catch (error) {
    await rm(half, { recursive: true, force: true })
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
  }
}
