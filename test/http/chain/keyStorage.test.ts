import { createHash } from 'node:crypto'
import { Redis } from 'ioredis'
import { beforeAll, describe, expect, it } from 'vitest'
import { aServer } from '../../helpers/actors.ts'
import { useTestApp } from '../../helpers/app.ts'
import { expectData } from '../../helpers/responses.ts'
import { aKey, aTenant, type SeededKey } from '../../helpers/seed.ts'

const server = useTestApp()
let key: SeededKey
beforeAll(async () => {
  const { database } = server.deps
  key = await aKey(database, await aTenant(database))
})

describe('API key storage', () => {
  it('stores no API key in the database or in Redis', async () => {
    expectData(await aServer(server, key.key).get('/asset-groups'), 200)
    const stored = [...(await everyRow()), ...(await everyCounter())]
    const secret = key.key.slice('pk_live_'.length)
    for (const text of stored) {
      expect(text).not.toContain(secret)
      expect(text).not.toMatch(/pk_live_\w{5,}/)
      // row_to_json writes bytea in hex.
      expect(text).not.toContain(Buffer.from(secret).toString('hex'))
    }
  })

  async function everyRow(): Promise<string[]> {
    const { pool } = server.deps.database
    const tables = await pool.query(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    )
    const rows: string[] = []
    for (const { name } of tables.rows) {
      const read = await pool.query(`select row_to_json(t)::text as row from ${name} t`)
      rows.push(...read.rows.map(({ row }) => row))
    }
    expect(rows.join()).toContain(createHash('sha256').update(key.key).digest('hex'))
    return rows
  }

  /** Reads names and values in one script because a counter can expire between commands. */
  async function everyCounter(): Promise<string[]> {
    const redis = new Redis(server.deps.config.redisUrl ?? '')
    const read = `local all = {}
      for _, key in ipairs(redis.call('keys', '*')) do
        all[#all + 1] = key .. ' ' .. redis.call('get', key)
      end
      return all`
    const counters = (await redis.eval(read, 0)) as string[]
    redis.disconnect()
    expect(counters.length).toBeGreaterThan(0)
    return counters
  }
})
