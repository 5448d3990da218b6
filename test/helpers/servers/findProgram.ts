import { constants } from 'node:fs'
import { access, readdir } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { unpackPackages } from './unpackPackages.ts'

export interface Program {
  readonly command: string
  readonly env: Readonly<Record<string, string>>
}

export interface Wanted {
  readonly names: readonly string[]
  readonly debianPackage: string
  /** The error message if there is none: how to install it. */
  readonly advice: string
  /** Corrects the unpacked files in `root`. */
  readonly afterUnpacking?: (root: string) => Promise<void>
}

const cacheDirectory = resolve(import.meta.dirname, '../../../.cache')
/** Directories that the PATH of an ordinary user lacks. */
const systemDirectories = ['/usr/sbin', '/sbin']

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

async function onPath({ names }: Wanted, searchPath: string): Promise<Program | undefined> {
  for (const name of names) {
    for (const directory of searchPath.split(delimiter).filter(Boolean)) {
      const command = join(directory, name)
      if (await isExecutable(command)) return { command, env: {} }
    }
  }
  return undefined
}

async function unpacked({ names }: Wanted, root: string): Promise<Program | undefined> {
  const directories = ['usr/bin', 'usr/sbin'].map((directory) => join(root, directory))
  const library = join(root, 'usr', 'lib')
  for (const command of names.flatMap((name) =>
    directories.map((directory) => join(directory, name)),
  )) {
    if (!(await isExecutable(command))) continue
    const triplets = await readdir(library).catch(() => [])
    const libraries = [library, ...triplets.map((triplet) => join(library, triplet))]
    return { command, env: { LD_LIBRARY_PATH: libraries.join(delimiter) } }
  }
  return undefined
}

/**
 * Returns a program from the PATH, from an earlier unpacking, or newly unpacked from its package.
 * @throws Error with `advice` if there is none
 */
export async function findProgram(
  wanted: Wanted,
  searchPath = [process.env['PATH'] ?? '', ...systemDirectories].join(delimiter),
  cache = join(cacheDirectory, wanted.debianPackage),
): Promise<Program> {
  const found = (await onPath(wanted, searchPath)) ?? (await unpacked(wanted, cache))
  if (found) return found
  const cause = await unpackPackages(wanted, cache).catch((error: unknown) => error)
  const fresh = await unpacked(wanted, cache)
  if (fresh) return fresh
  throw new Error(wanted.advice, { cause })
}
