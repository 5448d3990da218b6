import pg from 'pg'
import { describeFsError } from './files.ts'

const postgres = { scheme: /^(postgres(ql)?:|socket:|\/)/, example: 'postgres://' }

/** The drivers take any other word for a database or a host, and look for it on this machine. */
const beginnings = {
  DATABASE_URL: postgres,
  DATABASE_DIRECT_URL: postgres,
  REDIS_URL: {
    scheme: /^(rediss?:\/\/|redis\+cluster:\/\/|\/)/,
    example: 'redis://, rediss:// or redis+cluster://',
  },
}

export const urlNames = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'REDIS_URL'] as const

/** What is wrong with the URL of a server, without anything of it; an unset one is right. */
export function urlProblem(name: (typeof urlNames)[number], url?: string): string | undefined {
  if (url === undefined) return undefined
  const { scheme, example } = beginnings[name]
  if (!scheme.test(url)) return `must begin with ${example}`
  if (isTornUrl(url))
    return 'is not a URL. In a password write / as %2F, @ as %40, # as %23, ? as %3F, % as %25'
  return name === 'REDIS_URL' ? undefined : fileProblem(url)
}

/** Certificates and keys that it names are read by the driver whenever it connects. */
function fileProblem(connectionString: string): string | undefined {
  try {
    void new pg.Client({ connectionString })
    return undefined
  } catch (error) {
    const trouble = describeFsError(error)
    return trouble && `names a file that can't be read: ${trouble}`
  }
}

/** A `/`, `@` or `#` in a password ends it, and the rest would be taken for a host. */
function isTornUrl(url: string): boolean {
  const [, nodes] = url.split('redis+cluster://')
  if (nodes !== undefined) return nodes.split(',').some((node) => isTornUrl(`redis://${node}`))
  if (!/^(postgres(ql)?|rediss?):/.test(url)) return false
  if (!URL.canParse(url)) return true
  const { pathname, hash } = new URL(url)
  return (pathname + hash).includes('@')
}
