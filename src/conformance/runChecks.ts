import { type ApiResponse, apiAt } from './api.ts'
import { beginRun, browserRules, dataOf, quoteRequest, rules, sessionRequest } from './rules.ts'

interface Deployment {
  readonly baseUrl: string
  readonly apiKey: string
  readonly origin?: string | undefined
}

/** The error for a deployment that cannot be checked. */
export class UncheckableError extends Error {}

/** `problem` describes what was observed. It is missing if the rule holds. */
interface Finding {
  readonly rule: string
  readonly problem?: string
}

/**
 * Checks a deployment against the rules that it can break. It leaves one pending booking of
 * "Conformance Kit", whose id it returns.
 * @throws UncheckableError if the deployment is unreachable, rejects the key or the origin, or has no
 * group that can be booked
 */
export async function runChecks({ baseUrl, apiKey, origin }: Deployment) {
  const api = apiAt(baseUrl, apiKey)
  const run = beginRun(origin)
  const headers = origin === undefined ? {} : { origin }
  const listed = await api('/asset-groups', { headers }).catch((error: unknown) => {
    throw new UncheckableError(`${baseUrl} is unreachable: ${reasonOf(error)}`)
  })
  if (listed.status !== 200)
    throw new UncheckableError(`${baseUrl} rejects the key or origin: ${excerpt(listed)}`)
  async function browserHeaders() {
    if (origin === undefined)
      throw new UncheckableError(
        'The key is for websites only. Add --origin with one of its origins.',
      )
    const session = await api(...sessionRequest(origin))
    if (session.status !== 201)
      throw new UncheckableError(`${baseUrl} makes no session: ${excerpt(session)}`)
    return { origin, 'x-session-token': dataOf(session).sessionToken }
  }
  let last = listed
  for (const { id } of Object(listed.body['data'])) {
    last = await api(...quoteRequest(id, run.writeHeaders))
    if (codeOf(last) === 'ORIGIN_NOT_ALLOWED') {
      run.writeHeaders = await browserHeaders()
      last = await api(...quoteRequest(id, run.writeHeaders))
    }
    if (last.status !== 201) continue
    Object.assign(run, { groupId: id, quoteId: dataOf(last).quoteId })
    break
  }
  if (run.quoteId === '') {
    throw new UncheckableError(
      `No asset group of the tenant can be quoted a month from now: ${excerpt(last)}`,
    )
  }
  const findings: Finding[] = []
  for (const { rule, request, ...expected } of rules.concat(origin ? browserRules : [])) {
    try {
      const response = await api(...request(run))
      const other = expected.check?.(run, response)
      const problem = problemOf(response, expected) ?? other
      findings.push({ rule, ...(problem !== undefined && { problem }) })
    } catch (error) {
      findings.push({ rule, problem: reasonOf(error) })
    }
  }
  return { findings, bookingId: run.bookingId || null }
}

const limitHeader = /^\d+$/
const limitHeaders = {
  'x-ratelimit-limit': limitHeader,
  'x-ratelimit-remaining': limitHeader,
  'x-ratelimit-reset': limitHeader,
}

function problemOf(
  response: ApiResponse,
  { status, code, headers }: Pick<(typeof rules)[number], 'status' | 'code' | 'headers'>,
): string | undefined {
  if (response.status !== status || codeOf(response) !== code) {
    return `expected ${status} ${code ?? ''}, got ${excerpt(response)}`
  }
  for (const [name, pattern] of Object.entries({ ...limitHeaders, ...headers })) {
    const value = response.headers.get(name) ?? ''
    if (!pattern.test(value)) return `the header ${name} is "${value}"`
  }
  return undefined
}

const codeOf = ({ body }: ApiResponse) => Object(body['error']).code

const excerpt = ({ status, text }: ApiResponse) => `${status} ${text.slice(0, 300)}`

/** Returns the message of the cause: `fetch` wraps errors, one for each address of a host. */
function reasonOf(error: unknown): string {
  const { cause = error } = error as Error
  const [first = cause] = cause instanceof AggregateError ? cause.errors : []
  return first instanceof Error ? first.message : String(first)
}
