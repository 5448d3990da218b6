import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../helpers/database.ts'
import { withGround } from './ground.ts'
import { type RuleName, rules } from './rules.ts'
import { type WrongSql, wrongInDatabase, wrongOnTheWire } from './wrongSql.ts'

let shared: TestDatabase
beforeAll(async () => {
  shared = await createTestDatabase()
})
afterAll(() => shared.drop())

const isCaught = (url: string, { install, caughtBy }: WrongSql) =>
  withGround(url, async (on) => {
    await install(on)
    // Only an assertion error proves that the rule ran.
    await expect(rules[caughtBy](on)).rejects.toMatchObject({ name: 'AssertionError' })
  })

const named = (wrong: readonly WrongSql[]) =>
  wrong.map((each) => [each.caughtBy, each.mistake, each] as const)

describe('the SQL', () => {
  it.each(Object.keys(rules) as RuleName[])('%s', (name) => withGround(shared.url, rules[name]))
})

describe.concurrent('incorrect SQL', () => {
  it.each(named(wrongInDatabase))('fails the rule "%s" when %s', async (_, __, wrong) => {
    const own = await createTestDatabase()
    await isCaught(own.url, wrong).finally(own.drop)
  })
})

describe('incorrect statements', () => {
  it.each(named(wrongOnTheWire))('fails the rule "%s" when %s', (_, __, wrong) =>
    isCaught(shared.url, wrong),
  )
})
