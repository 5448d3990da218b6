import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { useTestApp } from '../helpers/app.ts'
import { installGates } from '../helpers/gates.ts'
import { lockWaiters } from '../helpers/lockWaits.ts'
import { runStatements } from '../helpers/maintenance.ts'
import { aGroup, aKey, aTenant } from '../helpers/seed.ts'
import { insertQuotes } from './insertQuotes.ts'
import { type Exercise, installMutant, mutants } from './mutants.ts'
import { type Booker, recorder } from './recorder.ts'

const settleTimeoutMs = 500

const named = mutants.map((mutant) => [mutant.name, mutant] as const)

type TestApp = ReturnType<typeof useTestApp>

async function exerciseOn({ deps: { database }, app, databaseUrl }: TestApp): Promise<Exercise> {
  await installGates(databaseUrl)
  await runStatements(databaseUrl, "CREATE TABLE clock_of_replica AS SELECT interval '0' AS ahead")
  const tenantId = await aTenant(database)
  const groupId = await aGroup(database, tenantId)
  const booker = async (): Promise<Booker> => {
    const { id, key } = await aKey(database, tenantId)
    return { keyId: id, key }
  }
  const [self, other] = [await booker(), await booker()]
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  return {
    recorder: recorder(() => [url], self, settleTimeoutMs),
    databaseUrl,
    other,
    async quote({ keyId } = self) {
      const rows = { tenantId, keyId, groupId, count: 1, expiresInMs: 60_000 }
      return (await insertQuotes(database, rows))[0] ?? ''
    },
    async countWaiting() {
      const waiting = await database.pool.query(`select ${lockWaiters}`)
      return waiting.rowCount ?? 0
    },
  }
}

describe.each(named)('the history checker when redeem_quote %s', (name, mutant) => {
  describe('with the mutant installed', () => {
    const server = useTestApp()
    it(`reports a violation when redeem_quote ${name}`, async () => {
      const exercise = await exerciseOn(server)
      await installMutant(server.databaseUrl, mutant)
      await mutant.exercise(exercise)
      const found = (await exercise.recorder.finish()).map(({ check }) => check)
      expect(found).toContain(mutant.foundBy)
    })
  })

  describe('without the mutant', () => {
    const server = useTestApp()
    it(`with the correct redeem_quote, reports no violation for the requests of "${name}"`, async () => {
      const exercise = await exerciseOn(server)
      await mutant.exercise(exercise)
      expect(await exercise.recorder.finish()).toEqual([])
    })
  })
})
