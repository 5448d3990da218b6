import { afterAll, beforeAll, describe, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../helpers/database.ts'
import { auditRules } from './auditRules.ts'
import { changeRules } from './changeRules.ts'
import { withGround } from './ground.ts'
import { keyRules } from './keyRules.ts'
import { readingRules } from './readingRules.ts'
import { redemptionRules } from './redemptionRules.ts'
import { staffRules } from './staffRules.ts'

let shared: TestDatabase
beforeAll(async () => {
  shared = await createTestDatabase()
})
afterAll(() => shared.drop())

const rules = {
  ...redemptionRules,
  ...changeRules,
  ...keyRules,
  ...readingRules,
  ...staffRules,
  ...auditRules,
}

describe('the SQL', () => {
  it.each(Object.entries(rules))('%s', (_, rule) => withGround(shared.url, rule))
})
