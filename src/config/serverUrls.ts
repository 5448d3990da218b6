import pg from 'pg'
import { describeFsError } from './files.ts'

const postgres = { scheme: /^(postgres(ql)?:|socket:|\/)/, example: 'postgres://' }

/** The drivers interpret any other text as the name of a database or host. */
const urlSchemes = {
  DATABASE_URL: postgres,
  DATABASE_DIRECT_URL: postgres,
  REDIS_URL: {
    scheme: /^(rediss?:\/\/|redis\+cluster:\/\/|\/)/,
    example: 'redis://, rediss:// or redis+cluster://',
  },
}

export const urlNames = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'REDIS_URL'] as const

/**
 * Returns what is wrong with a server URL, without quoting it, or undefined if it is valid or
 * unset.
 */
export function urlProblem(name: (typeof urlNames)[number], url?: string): string | undefined {
  if (url === undefined) return undefined
  const { scheme, example } = urlSchemes[name]
  if (!scheme.test(url)) return `must begin with ${example}`
  if (hasUnescapedPassword(url))
    return 'is not a URL. In a password write / as %2F, @ as %40, # as %23, ? as %3F, % as %25'
  return name === 'REDIS_URL' ? undefined : fileProblem(url)
}

function fileProblem(connectionString: string): string | undefined {
  try {
    void new pg.Client({ connectionString })
    return undefined
  } catch (error) {
    const problem = describeFsError(error)
    return problem && `names a file that can't be read: ${problem}`
  }
}

/**
 * Reports whether an unescaped `/`, `@` or `#` in the password split the URL in the wrong place.
 */
function hasUnescapedPassword(url: string): boolean {
  const [, nodes] = url.split('redis+cluster://')
  if (nodes !== undefined)
    return nodes.split(',').some((node) => hasUnescapedPassword(`redis://${node}`))
  if (!/^(postgres(ql)?|rediss?):/.test(url)) return false
  if (!URL.canParse(url)) return true
  const { pathname, hash } = new URL(url)
  return (pathname + hash).includes('@')
}
