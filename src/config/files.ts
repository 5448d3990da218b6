import { randomUUID } from 'node:crypto'
import { chmod, link, rename, rm, writeFile } from 'node:fs/promises'
import { hasErrorCode } from '../domain/hasErrorCode.ts'

export const ownerOnly = 0o600

export function undefinedIfMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  })
}

const fileTroubles: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or directory',
  ENOTDIR: 'part of the path is a file',
  EEXIST: 'a file is in its place',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ELOOP: 'its links lead in a circle',
}

/** Why the system refused a file or directory, to follow a colon; undefined for other errors. */
export function describeFsError(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return undefined
  // Sockets have some of these codes, too, but no path.
  if (!('path' in error || 'dest' in error || ['read', 'write'].includes(String(error.syscall))))
    return undefined
  return fileTroubles[String(error.code)]
}

/**
 * Writes a file elsewhere and moves it into place: whoever finds it finds it whole, also after a
 * crash. It takes the place of another, or with `ifMissing` leaves the one that is there.
 */
export async function writeFileAtomic(
  path: string,
  text: string,
  { mode, ifMissing = false }: { readonly mode: number; readonly ifMissing?: boolean },
): Promise<void> {
  const half = `${path}.${randomUUID()}`
  try {
    await writeFile(half, text, { mode, flush: true })
    // The umask may have taken rights away.
    await chmod(half, mode)
    await (ifMissing ? link : rename)(half, path)
  } catch (error) {
    if (!ifMissing || !hasErrorCode(error, 'EEXIST')) throw error
  } finally {
    await rm(half, { force: true })
  }
}
