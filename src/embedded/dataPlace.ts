import { createHash } from 'node:crypto'
import { lstat, mkdir, readlink, realpath, symlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { ifThere } from '../hasCode.ts'
import { EmbeddedPostgresError, type Log } from './errors.ts'
import { type Identity, mayEnter } from './identity.ts'

const dataName = 'postgres'

/** Where the data of `directory` is or will be, following our own link. Makes nothing. */
export async function dataDirectoryOf(directory: string): Promise<string> {
  const real = await realpath(directory).catch(() => resolve(directory))
  const path = join(real, dataName)
  const found = await ifThere(lstat(path))
  return found?.isSymbolicLink() ? resolve(real, await readlink(path)) : path
}

export interface DataPlace {
  readonly dataDirectory: string
  readonly identity: Identity | undefined
  /** Where root keeps what an unprivileged server must reach. */
  readonly stateDirectory: string
  readonly log: Log
}

/**
 * Gives the data directory that a server of this identity can reach: when root runs us in a
 * directory closed to others, one in `stateDirectory`, linked. Never changes permissions.
 */
export async function reachableDataDirectory(place: DataPlace): Promise<string> {
  const { dataDirectory, identity, stateDirectory, log } = place
  const parent = dirname(dataDirectory)
  await mkdir(parent, { recursive: true })
  if (!identity || (await mayEnter(parent, identity))) return dataDirectory

  const hash = createHash('sha256').update(parent).digest('hex').slice(0, 12)
  const elsewhere = join(stateDirectory, 'data', hash, dataName)
  try {
    await mkdir(dirname(elsewhere), { recursive: true })
    await symlink(elsewhere, dataDirectory)
  } catch (error) {
    throw new EmbeddedPostgresError(
      `PostgreSQL can't run as root, and uid ${identity.uid} can't access ${parent}. ` +
        `Storing the data in ${elsewhere} instead failed. ` +
        'Set DATA_DIR to a directory that every user can access, or set DATABASE_URL.',
      { cause: error },
    )
  }
  if (!(await mayEnter(dirname(elsewhere), identity))) {
    throw new EmbeddedPostgresError(
      `PostgreSQL can't run as root, and uid ${identity.uid} can access neither ${parent} ` +
        `nor ${stateDirectory}. Set DATA_DIR to a directory that every user can access.`,
    )
  }
  log('DATA_DIR is closed to the user PostgreSQL runs as, so its data is elsewhere and linked', {
    link: dataDirectory,
    data: elsewhere,
    uid: identity.uid,
  })
  return elsewhere
}
