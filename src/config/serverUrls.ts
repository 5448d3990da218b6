import pg from 'pg'
import { z } from 'zod'
import { describeFsError } from './files.ts'

/** A URL of PostgreSQL. The driver interprets any other text as the name of a database. */
export const postgresUrl = serverUrl(/^(postgres(ql)?:|socket:|\/)/, 'postgres://', fileProblem)

/** A URL of Redis. The driver interprets any other text as the name of a host. */
export const redisUrl = serverUrl(
  /^(rediss?:\/\/|redis\+cluster:\/\/|\/)/,
  'redis://, rediss:// or redis+cluster://',
  () => undefined,
)

/** Returns a rule for a server's URL, whose messages do not quote the URL. */
function serverUrl(
  scheme: RegExp,
  examples: string,
  findProblem: (url: string) => string | undefined,
) {
  return z
    .string()
    .trim()
    .superRefine((url, context) => {
      let problem: string | undefined
      if (!scheme.test(url)) problem = `must begin with ${examples}`
      else if (hasUnescapedPassword(url))
        problem =
          'is not a URL. In a password write / as %2F, @ as %40, # as %23, ? as %3F, % as %25'
      else problem = findProblem(url)
      if (problem !== undefined) context.addIssue(problem)
    })
    .optional()
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
