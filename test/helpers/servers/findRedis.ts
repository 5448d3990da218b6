import { constants } from 'node:fs'
import { access, readdir } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { unpackRedis } from './unpackRedis.ts'

/** A Redis server program, and the variables it needs. */
export interface RedisProgram {
  readonly command: string
  readonly env: Readonly<Record<string, string>>
}

const cacheDirectory = resolve(import.meta.dirname, '../../../.cache/redis')

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

async function onPath(searchPath: string): Promise<RedisProgram | undefined> {
  for (const name of ['redis-server', 'valkey-server']) {
    for (const directory of searchPath.split(delimiter).filter(Boolean)) {
      const command = join(directory, name)
      if (await isExecutable(command)) return { command, env: {} }
    }
  }
  return undefined
}

async function unpacked(root: string): Promise<RedisProgram | undefined> {
  const command = join(root, 'usr', 'bin', 'redis-server')
  if (!(await isExecutable(command))) return undefined
  const library = join(root, 'usr', 'lib')
  const triplets = await readdir(library).catch(() => [])
  const libraries = [library, ...triplets.map((triplet) => join(library, triplet))]
  return { command, env: { LD_LIBRARY_PATH: libraries.join(delimiter) } }
}

/**
 * Finds a Redis server: on PATH, or unpacked earlier, or unpacked now from the distribution's
 * package. Throws one line that says how to get one.
 */
export async function findRedis(
  searchPath = process.env['PATH'] ?? '',
  cache = cacheDirectory,
): Promise<RedisProgram> {
  const found = (await onPath(searchPath)) ?? (await unpacked(cache))
  if (found) return found
  const cause = await unpackRedis(cache).catch((error: unknown) => error)
  const fresh = await unpacked(cache)
  if (fresh) return fresh
  throw new Error(
    'The tests need a Redis server: install one (apt-get install redis-server, brew install ' +
      'redis, apk add redis, dnf install valkey), or set TEST_REDIS_URL to one only for tests.',
    { cause },
  )
}
