import { randomUUID } from 'node:crypto'
import { baseUrl, compose, done, inReplica } from './stack.ts'

/** Requests per second. Set COMPOSE_TEST_RATE lower on a busy machine. */
const rate = Math.min(Number(process.env['COMPOSE_TEST_RATE'] ?? 60), 100)
const tickMs = 10

export interface Load {
  readonly sent: number
  /** The failures, such as `503 SERVICE_UNAVAILABLE` or `ECONNRESET`. */
  readonly lost: readonly string[]
  readonly slowestMs: number
}

const headersOf = (key: string) => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
})

async function send(key: string, path: string, body?: object): Promise<{ data?: unknown }> {
  const response = await fetch(`${baseUrl}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headersOf(key), 'idempotency-key': randomUUID() },
    signal: AbortSignal.timeout(20_000),
    ...(body && { body: JSON.stringify(body) }),
  })
  const content = (await response.json()) as { error?: { code: string } }
  if (!response.ok) throw new Error(`${response.status} ${content.error?.code}`)
  return content as { data?: unknown }
}

/** Creates a key with limits that no test reaches, and returns its secret. */
export async function createKey(slug: string): Promise<string> {
  const limits = ['reads', 'quotes', 'bookings', 'bookingsPerDay']
  const create = ['rental', 'keys', 'create', '--tenant', slug, '--name', 'Path', '--json']
  const access = ['--scopes', 'all', '--origins', 'https://www.example.com']
  const argv = [create, access, limits.flatMap((name) => ['--limit', `${name}=1000000`])].flat()
  return JSON.parse(await done(inReplica(...argv))).key
}

/** Quotes a rental that begins in `days` at 10:00 UTC, and returns the quote's ID. */
export async function quote(key: string, assetGroupId: string, days = 30): Promise<string> {
  const pickup = new Date(Date.now() + days * 86_400_000)
  pickup.setUTCHours(10, 0, 0, 0)
  const { data } = await send(key, '/quotes', {
    assetGroupId,
    pickupDatetime: pickup.toISOString(),
    dropoffDatetime: new Date(pickup.getTime() + 2 * 86_400_000).toISOString(),
  })
  return (data as { quoteId: string }).quoteId
}

/** Books a quote and returns the booking's ID. */
export async function book(key: string, quoteId: string): Promise<string> {
  const customer = { firstName: 'Kari', lastName: 'Load', email: 'kari@example.com' }
  const { data } = await send(key, '/bookings', { quoteId, customer })
  return (data as { bookingId: string }).bookingId
}

export async function groupsOf(key: string): Promise<string[]> {
  const { data } = await send(key, '/asset-groups')
  return (data as { id: string }[]).map(({ id }) => id)
}

/** Returns the last errors in the logs of the proxy and the replicas. */
async function reasons(): Promise<string> {
  const lines = (await done(compose('logs --no-color proxy api-1 api-2'))).split('\n')
  return lines
    .filter((line) => /"status":50\d|"level":[45]0/.test(line))
    .slice(-5)
    .join('\n')
}

/** Reads, quotes and books at a fixed rate while `work` runs, independently of the responses. */
export async function under(key: string, work: () => Promise<void>): Promise<Load> {
  const [group = ''] = await groupsOf(key)
  const lost: string[] = []
  const sent: Promise<void>[] = []
  let slowestMs = 0
  const one = async (n: number) => {
    const startedMs = performance.now()
    await request(n).finally(() => {
      slowestMs = Math.max(slowestMs, performance.now() - startedMs)
    })
  }
  const request = async (n: number) => {
    if (n % 10 < 7) await send(key, '/asset-groups')
    else await book(key, await quote(key, group, 1 + (n % 300)))
  }
  const note = (error: Error & { cause?: { code?: string } }) => {
    lost.push(error.cause?.code ?? error.message)
  }
  const began = performance.now()
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1000) * rate
    while (sent.length < due) sent.push(one(sent.length).catch(note))
  }, tickMs)
  try {
    await work()
  } finally {
    clearInterval(timer)
    await Promise.all(sent)
  }
  process.stdout.write(`  ${sent.length} requests at ${rate} a second, ${lost.length} lost\n`)
  if (lost.length > 0) process.stdout.write(`${await reasons()}\n`)
  return { sent: sent.length, lost, slowestMs }
}
