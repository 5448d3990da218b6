import { randomUUID } from 'node:crypto'
import { chmod, link, rename, rm, writeFile } from 'node:fs/promises'
import { hasErrorCode } from '../domain/hasErrorCode.ts'

export const ownerOnly = 0o600

/** Resolves to undefined if the file does not exist. */
export function undefinedIfMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  })
}

const fsProblems: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or directory',
  ENOTDIR: 'part of the path is a file',
  EEXIST: 'a file with this name exists',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ELOOP: 'its symbolic links form a loop',
}

/** Describes a file system error, for use after a colon; returns undefined for other errors. */
export function describeFsError(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return undefined
  // Sockets share some of these codes, but their errors have no path.
  if (!('path' in error || 'dest' in error || ['read', 'write'].includes(String(error.syscall))))
    return undefined
  return fsProblems[String(error.code)]
}

/**
 * Writes a file so that readers never see it partially; with `ifMissing` an existing file stays.
 */
export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  { mode, ifMissing = false }: { readonly mode: number; readonly ifMissing?: boolean },
): Promise<void> {
  const temporary = `${path}.${randomUUID()}`
  try {
    await writeFile(temporary, content, { mode, flush: true })
    // The umask may have removed permissions.
    await chmod(temporary, mode)
    await (ifMissing ? link : rename)(temporary, path)
  } catch (error) {
    if (!ifMissing || !hasErrorCode(error, 'EEXIST')) throw error
  } finally {
    await rm(temporary, { force: true })
  }
}
