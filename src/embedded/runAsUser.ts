import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { undefinedIfMissing } from '../config/files.ts'
import { EmbeddedPostgresError } from './errors.ts'

export interface Identity {
  readonly uid: number
  readonly gid: number
}

/** PostgreSQL refuses to run as root; this is "nobody", who is there without being created. */
export const unprivilegedUser: Identity = { uid: 65534, gid: 65534 }

/**
 * Tells whom the server of a data directory must run as: undefined means whoever runs this process.
 * Root takes the identity of the data's owner, so a directory begun as a user stays that user's.
 * @throws EmbeddedPostgresError when the data belongs to somebody else
 */
export async function identityFor(dataDirectory: string): Promise<Identity | undefined> {
  const owner = await undefinedIfMissing(stat(dataDirectory))
  const uid = process.getuid?.()
  // On macOS root is left as it is, and PostgreSQL says that it can't be.
  if (uid === 0 && process.platform === 'linux')
    return owner?.uid ? { uid: owner.uid, gid: owner.gid } : unprivilegedUser
  if (owner && owner.uid !== uid) {
    throw new EmbeddedPostgresError(
      `The embedded database in ${dataDirectory} belongs to another user (uid ${owner.uid}). ` +
        'Start it as that user or as root, or set DATA_DIR to a directory of your own.',
    )
  }
  return undefined
}

/** Tells whether a user may traverse a directory or execute a file, by trying it as that user. */
export function mayEnter(path: string, identity: Identity | undefined): Promise<boolean> {
  const options = { cwd: '/', env: {}, ...identity }
  return promisify(execFile)('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], options).then(
    () => true,
    () => false,
  )
}
