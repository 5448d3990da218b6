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
      return lane.query(config)
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
  readonly #pool: pg.Pool
  #client: Promise<pg.PoolClient> | undefined

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  async query<Row extends pg.QueryResultRow>(config: pg.QueryConfig) {
    this.underWay += 1
    try {
      this.#client ??= this.#connect()
      return await (await this.#client).query<Row>(config)
    } finally {
      this.underWay -= 1
    }
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined)
    await client?.end()
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      const client = await this.#pool.connect()
      client.once('end', () => {
        this.#client = undefined
        client.release(true)
      })
      return client
    } catch (error) {
      this.#client = undefined
      throw error
    }
  }
}
