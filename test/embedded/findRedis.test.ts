import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { findRedis } from '../helpers/servers/findRedis.ts'
import { remove, temporaryDirectory } from './installation.ts'

const made: string[] = []
afterEach(async () => {
  for (const directory of made.splice(0)) await remove(directory)
})

async function directoryWith(program: string): Promise<string> {
  const directory = await temporaryDirectory('open')
  made.push(directory)
  await mkdir(dirname(join(directory, program)), { recursive: true })
  await writeFile(join(directory, program), '')
  await chmod(join(directory, program), 0o755)
  return directory
}

describe('the search for a Redis server', () => {
  it('takes the one on PATH before the unpacked one, be it Redis or Valkey', async () => {
    const redis = await directoryWith('redis-server')
    const valkey = await directoryWith('valkey-server')
    const cache = await directoryWith('usr/bin/redis-server')
    const found = await findRedis(`${valkey}:${redis}`, cache)
    expect(found).toEqual({ command: join(redis, 'redis-server'), env: {} })
    const other = await findRedis(valkey, cache)
    expect(other).toEqual({ command: join(valkey, 'valkey-server'), env: {} })
  })

  it('takes the one unpacked earlier, with the libraries unpacked beside it', async () => {
    const cache = await directoryWith('usr/bin/redis-server')
    await mkdir(join(cache, 'usr', 'lib', 'triplet'), { recursive: true })
    const { command, env } = await findRedis('', cache)
    expect(command).toBe(join(cache, 'usr', 'bin', 'redis-server'))
    expect(env['LD_LIBRARY_PATH']).toContain(join(cache, 'usr', 'lib', 'triplet'))
  })
})
