import { randomBytes } from 'node:crypto'
import {
  chmod,
  copyFile,
  lchown,
  mkdir,
  readdir,
  readlink,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../hasCode.ts'
import type { Identity } from './identity.ts'

/** Readable by everybody, even when the original was installed under a strict umask. */
async function copyForAll(from: string, to: string): Promise<void> {
  await copyFile(from, to)
  const { mode } = await stat(from)
  await chmod(to, mode & 0o100 ? 0o755 : 0o644)
}

async function copyInto(from: string, to: string, owner: Identity | undefined): Promise<void> {
  await mkdir(to)
  await chmod(to, 0o755)
  if (owner) await lchown(to, owner.uid, owner.gid)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    if (entry.isDirectory()) {
      await copyInto(source, target, owner)
      continue
    }
    // Static libraries are a fifth of the files' size and nothing loads them.
    if (entry.name.endsWith('.a')) continue
    if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else await copyForAll(source, target)
    if (owner) await lchown(target, owner.uid, owner.gid)
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
