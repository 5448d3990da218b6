/** Whether an error, or what caused it, has one of these codes: of the system or of PostgreSQL. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && codes.includes(String(error.code))) || hasCode(error.cause, ...codes)
}

export function undefinedIfMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined
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
export function fileTrouble(error: unknown): string | undefined {
  // Sockets have some of these codes, too, but calls of their own.
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return undefined
  if (!('path' in error || 'dest' in error || ['read', 'write'].includes(String(error.syscall))))
    return undefined
  return error.syscall === 'connect' ? undefined : fileTroubles[String(error.code)]
}
