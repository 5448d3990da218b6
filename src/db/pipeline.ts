import type pg from 'pg'

export type Pipeline = ReturnType<typeof pipelineOn>

/**
 * Runs statements, each a transaction of its own, many under way on each connection that `pool`,
 * opened with `pipeline: true`, may have (decision 336). Answers come in the order of the
 * questions: no write or lock belongs here. Without an answer in time a connection ends, and all
 * under way on it.
 */
export function pipelineOn(pool: pg.Pool) {
  const lanes = Array.from({ length: pool.options.max }, () => new Lane(pool))
  return {
    pool,
    query<Row extends pg.QueryResultRow>(config: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
      const lane = lanes.reduce((one, other) => (other.underWay < one.underWay ? other : one))
      return lane.query(config, lanes)
    },
    /** Ends the connections when what is under way on them has been answered. */
    async close(): Promise<void> {
      await Promise.all(lanes.map((lane) => lane.close()))
      await pool.end()
    },
  }
}

/** One connection, opened when it is first used and again after it was lost. */
class Lane {
  underWay = 0
  open: pg.PoolClient | undefined
  readonly #pool: pg.Pool
  #client: Promise<pg.PoolClient> | undefined

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  async query<Row extends pg.QueryResultRow>(config: pg.QueryConfig, lanes: readonly Lane[]) {
    this.underWay += 1
    try {
      this.#client ??= this.#connect(lanes)
      return await (await this.#client).query<Row>(config)
    } finally {
      this.underWay -= 1
    }
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined)
    await client?.end()
  }

  async #connect(lanes: readonly Lane[]): Promise<pg.PoolClient> {
    try {
      const client = await this.#pool.connect()
      this.open = client
      client.once('end', () => {
        this.#client = undefined
        this.open = undefined
        client.release(true)
      })
      return client
    } catch (error) {
      this.#client = undefined
      // Nothing was asked yet, and the connection that is left can answer (decision 378).
      const left = lanes.find(({ open }) => open)?.open
      if (left === undefined) throw error
      return left
    }
  }
}
