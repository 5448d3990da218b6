import { Cluster, Redis } from 'ioredis'

const options = {
  connectTimeout: 500,
  // A connection that swallows commands is replaced: after a partition it may never answer again.
  socketTimeout: 2_000,
  // The defaults wait for ever while Redis is away; a limiter has to answer.
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
}

const reconnectDelayMs = (attempt: number) => Math.min(attempt * 100, 1_000)

const clusterScheme = 'redis+cluster://'

export interface RedisOptions {
  readonly url: string
  /** Longer than this and a request is better off being counted in the process (decision 43). */
  readonly commandTimeoutMs: number
  readonly onError: (error: Error) => void
}

/**
 * Connects to `redis:`, `rediss:`, a socket path, or `redis+cluster://host:port,host:port`.
 * Resolves when ready or as soon as it is known not to be: callers must cope without Redis anyway.
 */
export async function openRedis({
  url,
  commandTimeoutMs,
  onError,
}: RedisOptions): Promise<Redis | Cluster> {
  const redisOptions = { ...options, commandTimeout: commandTimeoutMs }
  const client = url.startsWith(clusterScheme)
    ? new Cluster(clusterNodes(url), {
        redisOptions,
        enableOfflineQueue: false,
        clusterRetryStrategy: reconnectDelayMs,
        lazyConnect: true,
      })
    : new Redis(url, { ...redisOptions, retryStrategy: reconnectDelayMs, lazyConnect: true })
  client.on('error', onError)
  await client.connect().catch(onError)
  return client
}

function clusterNodes(url: string): { host: string; port: number }[] {
  return url
    .slice(clusterScheme.length)
    .split(',')
    .map((node) => new URL(`redis://${node}`))
    .map(({ hostname, port }) => ({ host: hostname, port: port === '' ? 6379 : Number(port) }))
}
