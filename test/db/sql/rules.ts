import { auditRules } from './auditRules.ts'
import { changeRules } from './changeRules.ts'
import { keyRules } from './keyRules.ts'
import { readingRules } from './readingRules.ts'
import { redemptionRules } from './redemptionRules.ts'
import { staffRules } from './staffRules.ts'

export const rules = {
  ...redemptionRules,
  ...changeRules,
  ...keyRules,
  ...readingRules,
  ...staffRules,
  ...auditRules,
}

export type RuleName = keyof typeof rules
