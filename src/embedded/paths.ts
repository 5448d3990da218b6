import { hash } from 'node:crypto'
import { chown, lstat, mkdir, mkdtemp, readlink, realpath, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { undefinedIfMissing } from '../config/files.ts'
import { EmbeddedPostgresError, type Log } from './errors.ts'
import { type Identity, mayEnter } from './runAsUser.ts'

/** Where a DATA_DIR has its database. */
export const dataName = 'postgres'

/** Where the data of `directory` is or will be, following our own link. Makes nothing. */
export async function dataDirectoryOf(directory: string): Promise<string> {
  const real = await realpath(directory).catch(() => resolve(directory))
  const path = join(real, dataName)
  const found = await undefinedIfMissing(lstat(path))
  return found?.isSymbolicLink() ? resolve(real, await readlink(path)) : path
}

export interface Start {
  readonly dataDirectory: string
  /** Whom the server runs as; undefined: whoever runs this process. */
  readonly identity: Identity | undefined
  /** PostgreSQL's, beside our own; tests give up safety from crashes for speed. */
  readonly settings: Readonly<Record<string, string | number>>
  /** For one command: other commands wait for its end rather than being cut off by it. */
  readonly brief: boolean
  /** Where root keeps what an unprivileged server must reach. */
  readonly stateDirectory: string
  /** Removed when the server has ended, even if this process was killed. */
  readonly removeOnExit: readonly string[]
  readonly log: Log
}

/**
 * Gives the data directory that a server of this identity can reach: when root runs us in a
 * directory closed to others, one in `stateDirectory`, linked. Never changes permissions.
 */
export async function reachableDataDirectory(start: Start): Promise<string> {
  const { dataDirectory, identity, stateDirectory, log } = start
  const parent = dirname(dataDirectory)
  await mkdir(parent, { recursive: true })
  if (!identity || (await mayEnter(parent, identity))) return dataDirectory

  const digest = hash('sha256', parent).slice(0, 12)
  const elsewhere = join(stateDirectory, 'data', digest, dataName)
  try {
    await mkdir(dirname(elsewhere), { recursive: true })
    if (!(await mayEnter(dirname(elsewhere), identity))) throw new Error('It is closed to that uid')
    await symlink(elsewhere, dataDirectory)
  } catch (error) {
    throw new EmbeddedPostgresError(
      `PostgreSQL can't run as root, and uid ${identity.uid} can't access ${parent}. ` +
        `Storing the data in ${elsewhere} instead failed: ${error}. ` +
        'Set DATA_DIR to a directory that every user can access, or set DATABASE_URL.',
      { cause: error },
    )
  }
  log('DATA_DIR is closed to the user PostgreSQL runs as, so its data is elsewhere and linked', {
    link: dataDirectory,
    data: elsewhere,
    uid: identity.uid,
  })
  return elsewhere
}

const briefPrefix = 'rental-cli-'

/** Whether the server of a socket is there for one command, and ends with it. */
export function isSingleCommand(socketDirectory: string): boolean {
  return basename(socketDirectory).startsWith(briefPrefix)
}

// A socket's path must fit in 104 bytes on macOS (108 on Linux), with a terminating NUL.
const socketPathBytesMax = 103
const longestSocketPath = 'rental-cli-XXXXXX/.s.PGSQL.65535.lock'

/**
 * Makes a short, private (0700), temporary directory for sockets and the like, which the server
 * owns and can reach.
 * @throws EmbeddedPostgresError when there is no place for one
 */
export async function makeRunDirectory({ identity, brief }: Start): Promise<string> {
  for (const base of new Set([tmpdir(), '/tmp'])) {
    if (Buffer.byteLength(join(base, longestSocketPath)) > socketPathBytesMax) continue
    if (!(await mayEnter(base, identity))) continue
    const directory = await mkdtemp(join(base, brief ? briefPrefix : 'rental-'))
    if (identity) await chown(directory, identity.uid, identity.gid)
    return directory
  }
  throw new EmbeddedPostgresError(
    `Neither ${tmpdir()} nor /tmp can hold the embedded database's socket. ` +
      'Set TMPDIR to a short path that every user can access, or set DATABASE_URL.',
  )
}

/** Only names the socket's file: the server listens on no network address. */
export const port = 5432

/**
 * The URL of the database that every cluster has, as the superuser it has, for `pg`, libpq and the
 * WHATWG parser. The host in the authority is only there for that parser: the one in the query
 * wins.
 */
export function urlOf(socketDirectory: string): string {
  const url = new URL(`postgresql://postgres@localhost:${port}/postgres`)
  url.searchParams.set('host', socketDirectory)
  return url.href
}
