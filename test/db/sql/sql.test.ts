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
    // Not any failure: the rule has looked, and has seen something else.
    await expect(rules[caughtBy](on)).rejects.toMatchObject({ name: 'AssertionError' })
  })

const named = (wrong: readonly WrongSql[]) =>
  wrong.map((each) => [each.what, each.caughtBy, each] as const)

describe('the SQL', () => {
  it.each(Object.keys(rules) as RuleName[])('%s', (name) => withGround(shared.url, rules[name]))
})

// Each in a database of its own, whose making is waited for more than worked on.
describe.concurrent('SQL that is wrong', () => {
  it.each(named(wrongInDatabase))('%s; caught, as %s', async (_, __, wrong) => {
    const own = await createTestDatabase()
    await isCaught(own.url, wrong).finally(own.drop)
  })
})

describe('SQL that is wrong on the wire', () => {
  it.each(named(wrongOnTheWire))('%s; caught, as %s', (_, __, wrong) => isCaught(shared.url, wrong))
})
