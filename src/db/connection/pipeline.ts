import type pg from 'pg'

export type Pipeline = ReturnType<typeof pipelineOn>

/** A connection that opens on first use and reopens after it was lost. */
interface PipelinedConnection {
  inFlight: number
  client: Promise<pg.PoolClient> | undefined
  open: pg.PoolClient | undefined
}

/**
 * Returns a runner that sends statements to `pool`, opened with `pipeline: true`, without waiting
 * for earlier results. Use it only for reads without locks: a slow statement blocks those behind
 * it, and a timeout ends the connection with all its statements
 * (docs/decisions.md#reads-share-pipelined-connections).
 */
export function pipelineOn(pool: pg.Pool) {
  const connections = Array.from(
    { length: pool.options.max },
    (): PipelinedConnection => ({ inFlight: 0, client: undefined, open: undefined }),
  )

  async function connect(connection: PipelinedConnection): Promise<pg.PoolClient> {
    try {
      const client = await pool.connect()
      connection.open = client
      client.once('end', () => {
        connection.client = undefined
        connection.open = undefined
        client.release(true)
      })
      return client
    } catch (error) {
      connection.client = undefined
      // No statement was sent yet, so the other connection can run it.
      const other = connections.find(({ open }) => open)?.open
      if (other === undefined) throw error
      return other
    }
  }

  return {
    pool,
    async query<Row extends pg.QueryResultRow>(config: pg.QueryConfig) {
      const connection = connections.reduce((least, next) =>
        next.inFlight < least.inFlight ? next : least,
      )
      connection.inFlight += 1
      try {
        connection.client ??= connect(connection)
        return await (await connection.client).query<Row>(config)
      } finally {
        connection.inFlight -= 1
      }
    },
    /** Closes the connections after the statements that are in flight. */
    async close(): Promise<void> {
      const clients = await Promise.all(
        connections.map(({ client }) => client?.catch(() => undefined)),
      )
      await Promise.all(clients.map((client) => client?.end()))
      await pool.end()
    },
  }
}
