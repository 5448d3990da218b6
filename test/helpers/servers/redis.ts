import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { startSupervised } from '../../../src/embedded/supervisedProcess.ts'
import { findRedis } from './findRedis.ts'
import type { TestServer } from './testServer.ts'

const startTimeoutMs = 60_000
const connectTimeoutMs = 30_000

/** Returns the ioredis URL of a server on a Unix socket. */
function urlOf(socket: string): string {
  const url = new URL('redis://localhost/')
  url.searchParams.set('path', socket)
  return url.href
}

async function reachable(url: string): Promise<TestServer> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: connectTimeoutMs,
    retryStrategy: () => null,
  })
  try {
    await redis.connect()
    return { url, stop: async () => {} }
  } catch (error) {
    throw new Error('Cannot connect to TEST_REDIS_URL: start Redis there, or unset the variable.', {
      cause: error,
    })
  } finally {
    redis.disconnect()
  }
}

/**
 * Starts a Redis without persistence, or uses the server of TEST_REDIS_URL.
 * @throws Error if none can be found or started
 */
export async function startTestRedis(): Promise<TestServer> {
  const given = process.env['TEST_REDIS_URL']
  return given ? reachable(given) : startOwnRedis()
}

/** Starts a Redis that is not shared, so that a test may kill and pause it. */
export async function startOwnRedis(): Promise<TestServer> {
  const { command, env } = await findRedis()
  const directory = await mkdtemp(join(tmpdir(), 'rental-redis-'))
  const socket = join(directory, 'redis.sock')
  const server = startSupervised({
    command,
    args: [
      '--port',
      '0',
      '--unixsocket',
      socket,
      '--unixsocketperm',
      '700',
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      directory,
      '--databases',
      '256',
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
