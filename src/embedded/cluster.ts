import { randomUUID } from 'node:crypto'
import { chmod, chown, mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { undefinedIfMissing } from '../config/files.ts'
import { type Binaries, createDirAtomic } from './binaries.ts'
import { EmbeddedPostgresError, failureOf } from './errors.ts'
import type { ServerSettings } from './paths.ts'
import { programEnv, startSupervised } from './supervisedProcess.ts'

/**
 * Creates the data directory of a new cluster atomically. Closes an existing one to other users,
 * because PostgreSQL rejects the permissions that some copies and volumes have.
 * @throws EmbeddedPostgresError when the directory has other files, or data of another major
 * version
 */
export async function ensureCluster(start: ServerSettings, binaries: Binaries): Promise<void> {
  const { dataDirectory, identity } = start
  const written = await undefinedIfMissing(readFile(join(dataDirectory, 'PG_VERSION'), 'utf8'))
  const found = written?.trim()
  if (found === binaries.major) return chmod(dataDirectory, 0o700)
  if (found !== undefined) {
    throw new EmbeddedPostgresError(
      `The data in ${dataDirectory} was written by PostgreSQL ${found}, but PostgreSQL ` +
        `${binaries.major} is installed. Move that directory away to start with an empty ` +
        `database, or dump it with PostgreSQL ${found} and restore the dump afterwards.`,
    )
  }
  const occupied = await readdir(dataDirectory).catch(() => [])
  if (occupied.length > 0) {
    throw new EmbeddedPostgresError(
      `${dataDirectory} contains files that are not PostgreSQL data. ` +
        'Move it away, or set DATA_DIR to another directory.',
    )
  }
  const partial = `${dataDirectory}.init-${randomUUID()}`
  await createDirAtomic(partial, dataDirectory, async () => {
    await mkdir(partial, { mode: 0o700 })
    if (identity) await chown(partial, identity.uid, identity.gid)
    await runInitdb(start, binaries, partial)
  })
}

async function runInitdb(start: ServerSettings, binaries: Binaries, into: string): Promise<void> {
  const initdb = startSupervised({
    command: join(binaries.directory, 'bin', 'initdb'),
    args: [
      `--pgdata=${into}`,
      '--username=postgres',
      // Access is limited by the socket's private directory; there is no network access.
      '--auth-local=trust',
      '--auth-host=reject',
      '--encoding=UTF8',
      // The builtin provider keeps the data independent of the operating system's locales.
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--no-instructions',
    ],
    env: programEnv,
    identity: start.identity,
  })
  if ((await initdb.exited) !== 0) {
    throw failureOf(start, 'could not create its data directory', initdb.recentLines())
  }
}
