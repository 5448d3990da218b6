import type pg from 'pg'

export type Pipeline = ReturnType<typeof pipelineOn>

/** One connection, opened when it is first used and again after it was lost. */
interface PipelinedConnection {
  inFlight: number
  client: Promise<pg.PoolClient> | undefined
  open: pg.PoolClient | undefined
}

/**
 * Runs statements, each a transaction of its own, many under way on each connection that `pool`,
 * opened with `pipeline: true`, may have (decision 336). Answers come in the order of the
 * questions: no write or lock belongs here. Without an answer in time a connection ends, and all
 * under way on it.
 */
export function pipelineOn(pool: pg.Pool) {
  const lanes = Array.from(
    { length: pool.options.max },
    (): PipelinedConnection => ({ inFlight: 0, client: undefined, open: undefined }),
  )

  async function connect(lane: PipelinedConnection): Promise<pg.PoolClient> {
    try {
      const client = await pool.connect()
      lane.open = client
      client.once('end', () => {
        lane.client = undefined
        lane.open = undefined
        client.release(true)
      })
      return client
    } catch (error) {
      lane.client = undefined
      // Nothing was asked yet, and the connection that is left can answer (decision 378).
      const left = lanes.find(({ open }) => open)?.open
      if (left === undefined) throw error
      return left
    }
  }

  return {
    pool,
    async query<Row extends pg.QueryResultRow>(config: pg.QueryConfig) {
      const lane = lanes.reduce((one, other) => (other.inFlight < one.inFlight ? other : one))
      lane.inFlight += 1
      try {
        lane.client ??= connect(lane)
        return await (await lane.client).query<Row>(config)
      } finally {
        lane.inFlight -= 1
      }
    },
    /** Ends the connections when what is under way on them has been answered. */
    async close(): Promise<void> {
      const clients = await Promise.all(lanes.map(({ client }) => client?.catch(() => undefined)))
      await Promise.all(clients.map((client) => client?.end()))
      await pool.end()
    },
  }
}
