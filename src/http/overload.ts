import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Deps } from '../deps.ts'
import { unauthenticatedWindow } from '../domain/limits.ts'
import { admission, hasBody } from './admission.ts'
import { errorEnvelope, retryAfterSeconds } from './errors.ts'
import { readableBy } from './hooks/cors.ts'
import { fixedHeaders } from './hooks/standardHeaders.ts'
import { limitHeaders } from './limitHeaders.ts'

type OverloadDeps = Pick<Deps, 'clock' | 'config' | 'lifecycle' | 'log' | 'metrics'>

const apiPrefix = '/api/'
const reportEveryMs = 1_000
/** Whoever waits for an answer does not ask again meanwhile: refusals at once would be asked for at once. */
const pauseMs = 1_000
/** About 50 MB of requests that wait for their refusal. */
const pausedMax = 5_000
/** Read to its end and dropped, so that the connection can be used again. */
const droppedBodyBytesMax = 64 * 1024

const counted = { operation: 'other', status: 503, code: 'SERVICE_UNAVAILABLE' }
const body = Buffer.from(
  JSON.stringify(
    errorEnvelope(
      'SERVICE_UNAVAILABLE',
      'The service is overloaded. Repeat the request after Retry-After seconds, with the same Idempotency-Key if it had one.',
    ),
  ),
)

/**
 * Lets requests of the API in as long as there is room, and answers the others 503 before anything
 * is done for them: what is refused must cost next to nothing, or refusing it would be the overload
 * (decision 163). Everything outside the API, the probes above all, is always let in.
 */
export function refuseOverload(deps: OverloadDeps, handle: RequestListener): RequestListener {
  const { admit, inProgress } = admission(deps.config.requestsInProgressMax)
  const report = reportRefusals(deps, inProgress)
  const headers = commonHeaders(deps)
  const pause = pauser()
  deps.metrics.watchRequests(inProgress, deps.config.requestsInProgressMax)
  return (request, response) => {
    if (!request.url?.startsWith(apiPrefix) || admit(request, response)) {
      return handle(request, response)
    }
    pause(() => refuse(deps, headers(), request, response))
    report()
  }
}

function refuse(
  { lifecycle, metrics }: OverloadDeps,
  headers: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const readable = Object.entries(readableBy(request.headers.origin)).flat()
  const mine = ['x-request-id', randomUUID(), ...readable]
  if (lifecycle.draining || !hasShortBody(request)) mine.push('connection', 'close')
  response.writeHead(503, headers.concat(mine))
  response.end(body)
  metrics.overloadRefusals.inc()
  metrics.requests.inc(counted)
}

/**
 * The headers that every refusal of a second has, made once for all of them. The windows are
 * untouched, since these requests count in none.
 */
function commonHeaders({ clock, config }: OverloadDeps): () => readonly string[] {
  const window = unauthenticatedWindow(config.unauthenticatedPerMinute)
  let madeAtSeconds = Number.NaN
  let made: readonly string[] = []
  return () => {
    const nowSeconds = Math.floor(clock.now().getTime() / 1000)
    if (nowSeconds === madeAtSeconds) return made
    const resetAtSeconds = nowSeconds + window.windowSeconds
    const untouched = { ...window, remaining: window.limit, resetAtSeconds }
    const headers = {
      ...fixedHeaders,
      ...limitHeaders({ allowed: true, nowSeconds, windows: [untouched] }),
      'retry-after': retryAfterSeconds.SERVICE_UNAVAILABLE,
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
    }
    madeAtSeconds = nowSeconds
    made = Object.entries(headers).flatMap(([name, value]) => [name, String(value)])
    return made
  }
}

/** Does something after the pause; at once when too many wait already. */
function pauser(): (work: () => void) => void {
  let paused = 0
  return (work) => {
    if (paused >= pausedMax) return work()
    paused += 1
    setTimeout(() => {
      paused -= 1
      work()
    }, pauseMs)
  }
}

function hasShortBody(request: IncomingMessage): boolean {
  if (!hasBody(request)) return true
  return Number(request.headers['content-length']) <= droppedBodyBytesMax
}

/** At most one line a second: a line for each refusal would cost more than the refusal. */
function reportRefusals({ log }: OverloadDeps, inProgress: () => number): () => void {
  let refused = 0
  const report = () => {
    log.warn({ refused, inProgress: inProgress() }, 'overloaded: requests were refused')
    refused = 0
  }
  return () => {
    if (refused === 0) setTimeout(report, reportEveryMs).unref()
    refused += 1
  }
}
