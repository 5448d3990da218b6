import { chown, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmbeddedPostgresError } from './errors.ts'
import { type Identity, mayEnter } from './identity.ts'

// A socket's path must fit in 104 bytes on macOS (108 on Linux), with a terminating NUL.
const socketPathBytesMax = 103
const longestSocketPath = 'rental-XXXXXX/.s.PGSQL.65535.lock'

/**
 * Makes a short, private (0700) directory for sockets and the like, which a server of that
 * identity owns and can reach. Throws EmbeddedPostgresError when there is no place for one.
 */
export async function makeRunDirectory(identity: Identity | undefined): Promise<string> {
  for (const base of new Set([tmpdir(), '/tmp'])) {
    if (Buffer.byteLength(join(base, longestSocketPath)) > socketPathBytesMax) continue
    if (!(await mayEnter(base, identity))) continue
    const directory = await mkdtemp(join(base, 'rental-'))
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
