import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { undefinedIfMissing } from '../config/files.ts'
import { EmbeddedPostgresError, takeOverCommand } from './errors.ts'
import type { Identity } from './supervisedProcess.ts'

/** The user `nobody`, which exists on every system. PostgreSQL refuses to run as root. */
export const unprivilegedUser: Identity = { uid: 65534, gid: 65534 }

/**
 * Returns the user that the server of a data directory must run as, or undefined for the current
 * user. Under root, this is the owner of the data, so that the owner can still use it.
 * @throws EmbeddedPostgresError when the data belongs to another user
 */
export async function identityFor(dataDirectory: string): Promise<Identity | undefined> {
  const owner = await undefinedIfMissing(stat(dataDirectory))
  const uid = process.getuid?.()
  // On macOS, root stays root, and PostgreSQL reports the error.
  if (uid === 0 && process.platform === 'linux')
    return owner?.uid ? { uid: owner.uid, gid: owner.gid } : unprivilegedUser
  if (owner && owner.uid !== uid) {
    throw new EmbeddedPostgresError(
      `The embedded database in ${dataDirectory} belongs to another user (uid ${owner.uid}). ` +
        'Start it as that user, or set DATA_DIR to a directory of your own. If that user copied it ' +
        `for you, run as root: ${takeOverCommand(dirname(dataDirectory))}`,
    )
  }
  return undefined
}

/** Reports whether a user may enter a directory or execute a file, by trying it as that user. */
export function canExecute(path: string, identity: Identity | undefined): Promise<boolean> {
  const options = { cwd: '/', env: {}, ...identity }
  return promisify(execFile)('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], options).then(
    () => true,
    () => false,
  )
}
