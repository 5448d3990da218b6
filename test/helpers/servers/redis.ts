import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startOnLifeline } from '../../../src/embedded/lifeline.ts'
import { findRedis } from './findRedis.ts'
import type { TestServer } from './testServer.ts'

const startTimeoutMs = 10_000

/** A Redis URL for a server on a Unix socket, as ioredis reads it. */
function urlOf(socket: string): string {
  const url = new URL('redis://localhost/')
  url.searchParams.set('path', socket)
  return url.href
}

/**
 * Starts a Redis that keeps nothing on disk, or takes the one that TEST_REDIS_URL names.
 * Throws when none can be found or started.
 */
export async function startTestRedis(): Promise<TestServer> {
  const given = process.env['TEST_REDIS_URL']
  if (given) return { url: given, stop: async () => {} }

  const { command, env } = await findRedis()
  const directory = await mkdtemp(join(tmpdir(), 'rental-redis-'))
  const socket = join(directory, 'redis.sock')
  const server = startOnLifeline({
    command,
    args: [
      ...['--port', '0', '--unixsocket', socket, '--unixsocketperm', '700'],
      ...['--save', '', '--appendonly', 'no', '--dir', directory, '--databases', '256'],
    ],
    env,
    removeOnExit: [directory],
  })
  const stop = async () => {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  }
  try {
    await server.line(/ready to accept connections/i, startTimeoutMs)
  } catch (error) {
    await stop()
    throw new Error(`${command} did not start:\n${server.recentLines().join('\n')}`, {
      cause: error,
    })
  }
  return { url: urlOf(socket), stop }
}
