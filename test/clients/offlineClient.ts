import { type ClientOptions, createClient, RentalApiError } from '../../clients/typescript/index.ts'
import { type Seen, watching } from './fetches.ts'

export const json = (status: number, body: object, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers })
export const rejected = (status: number, code: string, headers: Record<string, string> = {}) =>
  json(status, { error: { code, message: 'In words.' } }, headers)

export const aQuote = { assetGroupId: 'g', pickupDatetime: 'x', dropoffDatetime: 'y' }
export const hour = 3_600_000
export const minute = 60_000

/** Returns a session token for `seconds`, with `-` and `_` in its claims and no valid signature. */
export function tokenOf(seconds: number): string {
  const claims = JSON.stringify({ iat: 1_000, exp: 1_000 + seconds, name: '???>>>' })
  return `e30.${Buffer.from(claims).toString('base64url')}.c2ln`
}

const waitsMax = 1_000

/** Returns a client whose responses come from `respond`. It records its waits and has its own clock. */
export function aClient(
  respond: (path: string, nth: number) => Response | Promise<Response>,
  options: Partial<ClientOptions> = {},
) {
  const waits: number[] = []
  const clock = { ms: 1_800_000_000_000 }
  const { fetch, seen } = watching(async (url) => respond(pathOf(url), seen.length))
  const client = createClient({
    baseUrl: 'https://rental.example//',
    apiKey: 'pk_live_x',
    session: false,
    fetch,
    nowMs: () => clock.ms,
    sleep: async (seconds) => {
      // Without real waiting, an endless loop would block the test's timeout.
      if (waits.push(seconds) > waitsMax) throw new Error('The client waited too often')
    },
    ...options,
  })
  return { client, seen, waits, clock }
}

const pathOf = (url: string) => url.replace('https://rental.example/api/v1', '')
export const paths = (seen: readonly Seen[]) => seen.map(({ url }) => pathOf(url))
export const caught = async (call: Promise<unknown>) => {
  const error = await call.then(() => undefined).catch((reason: unknown) => reason)
  if (!(error instanceof RentalApiError)) throw new Error(`No RentalApiError: ${error}`)
  return error
}

/** Returns a client as in a browser page. POST /sessions returns `token()`. */
export function aPage(
  token: () => string,
  before: (path: string, nth: number) => Response | undefined,
) {
  return aClient(
    (path, nth) =>
      before(path, nth) ??
      (path === '/sessions'
        ? json(201, { data: { sessionToken: token(), expiresAt: '2001-01-01T00:00:00.000Z' } })
        : json(201, { data: { quoteId: `q${nth}` } })),
    { session: true, patience: { attemptsMax: 1 } },
  )
}
export const sessionsIn = (seen: readonly Seen[]) =>
  paths(seen).filter((path) => path === '/sessions').length
