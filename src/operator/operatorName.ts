import { userInfo } from 'node:os'
import { plainText } from '../input/fields.ts'
import { Refusal } from '../services/refusal.ts'

const name = plainText({ min: 1, max: 100 })

/**
 * For whom a decision is recorded: `--as`, RENTAL_OPERATOR, or the account the command runs under.
 * The image sets the variable to nothing: everybody is the same account there (decision 351).
 * @throws Refusal for a name that is empty or can't be shown
 */
export function operatorName(environment: NodeJS.ProcessEnv, as?: string): string {
  const given = as ?? environment['RENTAL_OPERATOR']
  if (given === undefined) return accountName(environment)
  const { success, data } = name.safeParse(given)
  if (success) return data
  throw new Refusal(
    'Nobody would be on record for this. Say who you are: --as NAME, or set RENTAL_OPERATOR to your name.',
  )
}

/** Containers may run as a user without a name. */
function accountName(environment: NodeJS.ProcessEnv): string {
  try {
    return userInfo().username
  } catch {
    return environment['USER'] ?? `user ${process.getuid?.() ?? 'unknown'}`
  }
}
