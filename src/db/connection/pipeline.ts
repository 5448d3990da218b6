import type pg from 'pg'

export type Pipeline = ReturnType<typeof pipelineOn>

/** A connection that opens on first use and reopens after it was lost. */
interface PipelinedConnection {
  inFlight: number
  client: Promise<pg.PoolClient> | undefined
  open: pg.PoolClient | undefined
  /** When a result last arrived, by `performance.now()`. */
  respondedAtMs: number
}

/** The driver closes a pipelined connection, with all its statements, when one times out. */
const closingStatement = { text: 'select', query_timeout: 1 }

/**
 * Returns a runner that sends statements to `pool` without waiting for earlier results. Use it only
 * for reads without locks, because a slow statement delays those behind it
 * (docs/decisions.md#reads-share-pipelined-connections). Each statement fails after `queryMs`; the
 * connection is closed only if it returned no result in that time. Open `pool` with
 * `pipeline: true` and without `query_timeout`.
 */
export function pipelineOn(pool: pg.Pool, queryMs: number) {
  const connections = Array.from(
    { length: pool.options.max },
    (): PipelinedConnection => ({
      inFlight: 0,
      client: undefined,
      open: undefined,
      respondedAtMs: 0,
    }),
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
    query<Row extends pg.QueryResultRow>(config: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
      const connection = connections.reduce((least, next) =>
        next.inFlight < least.inFlight ? next : least,
      )
      connection.inFlight += 1
      connection.client ??= connect(connection)
      const { client } = connection
      const sentAtMs = performance.now()
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new Error('Query read timeout'))
          const isUnresponsive = connection.respondedAtMs < sentAtMs
          if (isUnresponsive) connection.open?.query(closingStatement).catch(() => {})
        }, queryMs)
        const settled = () => {
          clearTimeout(timer)
          connection.inFlight -= 1
          connection.respondedAtMs = performance.now()
        }
        client
          .then((open) => open.query<Row>(config))
          .then(resolve, reject)
          .then(settled)
      })
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
