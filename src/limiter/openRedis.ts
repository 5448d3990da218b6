import { Cluster, Redis } from 'ioredis'
import { errorForLog } from '../telemetry/errorForLog.ts'

const options = {
  connectTimeout: 500,
  // A connection that swallows commands is replaced: after a partition it may never answer again.
  socketTimeout: 2_000,
  // The defaults wait for ever while Redis is away; a limiter has to answer.
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  // It asks for INFO, which our user need not be allowed. While Redis loads its data its commands
  // fail, and the limits are counted in the process.
  enableReadyCheck: false,
}

const reconnectDelayMs = (attempt: number) => Math.min(attempt * 100, 1_000)

const clusterScheme = 'redis+cluster://'

interface RedisOptions {
  readonly url: string
  /** Longer than this and a request is better off being counted in the process (decision 43). */
  readonly commandTimeoutMs: number
  readonly onError: (error: Error) => void
}

/**
 * Connects to `redis:`, `rediss:`, a socket path, or `redis+cluster://host:port,host:port`.
 * Resolves when ready or as soon as it is known not to be: callers must cope without Redis anyway.
 */
export async function openRedis({ url, commandTimeoutMs, onError }: RedisOptions) {
  const redisOptions = { ...options, commandTimeout: commandTimeoutMs }
  const client = url.startsWith(clusterScheme)
    ? new Cluster(clusterNodes(url), {
        redisOptions: { ...redisOptions, ...clusterUser(url) },
        enableOfflineQueue: false,
        // Of a cluster that is down, or that refuses to say, it would wait for ever.
        enableReadyCheck: false,
        // Trying a cluster that is down again and again would keep a request for 1.6 s (decision 43).
        retryDelayOnClusterDown: 0,
        clusterRetryStrategy: reconnectDelayMs,
        lazyConnect: true,
      })
    : new Redis(url, {
        ...redisOptions,
        retryStrategy: reconnectDelayMs,
        // It was demoted to a replica: connecting anew may find the one that can write.
        reconnectOnError: ({ message }) => message.includes('READONLY'),
        lazyConnect: true,
      })
  client.on('error', onError)
  await client.connect().catch(onError)
  return client
}

function clusterNodes(url: string): string[] {
  const nodes = url.slice(clusterScheme.length).split(',')
  return nodes.map((node) => `redis://${node}`)
}

/** All nodes have the same users; the first one of the URL names ours. */
function clusterUser(url: string) {
  const { username, password } = new URL(clusterNodes(url)[0] ?? '')
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) }
}

/** What ended the connection, with the address where the system names one; never a password. */
export function describeRedisError(error: unknown): string {
  if (error instanceof AggregateError) return describeRedisError(error.errors[0])
  if (error instanceof Error && 'lastNodeError' in error)
    return describeRedisError(error.lastNodeError)
  return errorForLog(error).message
}
