import { Cluster, Redis } from 'ioredis'
import { errorForLog } from '../telemetry/errorForLog.ts'

const options = {
  connectTimeout: 500,
  // Closes connections on which no response arrives, so that they are reopened. After a network
  // partition, such connections raise no error.
  socketTimeout: 2_000,
  // By default commands would wait while Redis is unavailable, and requests with them.
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  // The ready check needs permission for INFO. While Redis loads its data, commands fail anyway.
  enableReadyCheck: false,
}

const reconnectDelayMs = (attempt: number) => Math.min(attempt * 100, 1_000)

const clusterScheme = 'redis+cluster://'

interface RedisOptions {
  readonly url: string
  /** After this time the request is counted in the process. */
  readonly commandTimeoutMs: number
  readonly onError: (error: Error) => void
}

/**
 * Connects to a URL `redis:`, `rediss:` or `redis+cluster://host:port,host:port`, or to a socket
 * path. Also resolves when the connection fails; the client then reconnects.
 */
export async function openRedis({ url, commandTimeoutMs, onError }: RedisOptions) {
  const redisOptions = { ...options, commandTimeout: commandTimeoutMs }
  const client = url.startsWith(clusterScheme)
    ? new Cluster(clusterNodes(url), {
        redisOptions: { ...redisOptions, ...clusterUser(url) },
        enableOfflineQueue: false,
        // The ready check would wait forever for a cluster that is down.
        enableReadyCheck: false,
        // The default retries would delay a request by 1.6 seconds while the cluster is down.
        retryDelayOnClusterDown: 0,
        clusterRetryStrategy: reconnectDelayMs,
        lazyConnect: true,
      })
    : new Redis(url, {
        ...redisOptions,
        retryStrategy: reconnectDelayMs,
        // After a failover this server may be a replica; reconnecting may reach the new primary.
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

function clusterUser(url: string) {
  const { username, password } = new URL(clusterNodes(url)[0] ?? '')
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) }
}

/** Describes a connection error, with the address if known and without the password. */
export function describeRedisError(error: unknown): string {
  if (error instanceof AggregateError) return describeRedisError(error.errors[0])
  if (error instanceof Error && 'lastNodeError' in error)
    return describeRedisError(error.lastNodeError)
  return errorForLog(error).message
}
