import { hash } from 'node:crypto'
import { chown, lstat, mkdir, mkdtemp, readlink, realpath, symlink } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { describeFsError, undefinedIfMissing } from '../config/files.ts'
import { EmbeddedPostgresError, type Log, type OnLost } from './errors.ts'
import { canExecute } from './runAsUser.ts'
import type { Identity } from './supervisedProcess.ts'

/** The name of the database's directory in DATA_DIR. */
const dataName = 'postgres'

/** Returns the data directory of a DATA_DIR, which may not exist yet. Resolves links. */
export async function dataDirectoryOf(directory: string): Promise<string> {
  const real = await realpath(directory).catch(() => resolve(directory))
  const path = join(real, dataName)
  const found = await undefinedIfMissing(lstat(path))
  return found?.isSymbolicLink() ? resolve(real, await readlink(path)) : path
}

export interface ServerSettings {
  readonly dataDirectory: string
  /** The user that the server runs as; undefined for the user of this process. */
  readonly identity: Identity | undefined
  /** Additional PostgreSQL settings; tests trade crash safety for speed. */
  readonly settings: Readonly<Record<string, string | number>>
  /** True for the server of one command. Other commands then wait for it to end. */
  readonly singleCommand: boolean
  /** The directory for files that an unprivileged server must access when root starts it. */
  readonly stateDirectory: string
  /** Paths to remove when the server has ended, even if this process was killed. */
  readonly removeOnExit: readonly string[]
  readonly log: Log
  readonly onLost: OnLost
}

/**
 * Returns a data directory that the server's user can access. If the given one is not accessible,
 * links it to a directory in `stateDirectory`. Never changes permissions.
 * @throws EmbeddedPostgresError when that directory is not accessible either
 */
export async function reachableDataDirectory(start: ServerSettings): Promise<string> {
  const { dataDirectory, identity, stateDirectory, log } = start
  const parent = dirname(dataDirectory)
  await mkdir(parent, { recursive: true })
  if (!identity || (await canExecute(parent, identity))) return dataDirectory

  const digest = hash('sha256', parent).slice(0, 12)
  const linkTarget = join(stateDirectory, 'data', digest, dataName)
  try {
    await mkdir(dirname(linkTarget), { recursive: true })
    if (!(await canExecute(dirname(linkTarget), identity)))
      throw new Error('permission denied for that uid')
    await symlink(linkTarget, dataDirectory)
  } catch (error) {
    throw new EmbeddedPostgresError(
      `PostgreSQL can't run as root, and uid ${identity.uid} can't access ${parent}. ` +
        `Storing the data in ${linkTarget} instead failed: ${describeFsError(error) ?? error}. ` +
        'Set DATA_DIR to a directory that every user can access, and move any data there, or set ' +
        'DATABASE_URL.',
      { cause: error },
    )
  }
  log(
    'the user that runs PostgreSQL cannot access DATA_DIR; storing the data elsewhere behind a symbolic link',
    {
      link: dataDirectory,
      data: linkTarget,
      uid: identity.uid,
    },
  )
  return linkTarget
}

const singleCommandPrefix = 'rental-cli-'

/** Reports whether a socket's server was started for one command, and ends with it. */
export function isSingleCommand(socketDirectory: string): boolean {
  return basename(socketDirectory).startsWith(singleCommandPrefix)
}

/** Creates a temporary directory for the socket, owned by the server's user with mode 0700. */
export async function makeRunDirectory({ identity, singleCommand }: ServerSettings) {
  // The path of a socket must be short, which TMPDIR is not on every system.
  const directory = await mkdtemp(`/tmp/${singleCommand ? singleCommandPrefix : 'rental-'}`)
  if (identity) await chown(directory, identity.uid, identity.gid)
  return directory
}

/** A part of the socket's file name; the server does not listen on the network. */
export const port = 5432

/** Parameters that `pg` would otherwise take from variables such as PGSSLMODE and PGOPTIONS. */
const driverDefaults =
  'sslmode=disable&sslnegotiation=postgres&replication=false&options=-c+datestyle%3DISO'

/**
 * Returns the connection URL of a socket. `pg` uses the host of the query; the other host is there
 * because URL parsers require one.
 */
export function urlOf(socketDirectory: string): string {
  const url = new URL(`postgresql://postgres@localhost:${port}/postgres?${driverDefaults}`)
  url.searchParams.set('host', socketDirectory)
  return url.href
}
