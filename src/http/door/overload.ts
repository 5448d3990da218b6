import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Deps } from '../../deps.ts'
import { ApiError, bodyBytesMax } from '../../domain/errors.ts'
import { unauthenticatedWindow, windowState } from '../../domain/limits.ts'
import { probePaths } from '../fastify.ts'
import { admission } from './admission.ts'
import { hasBody } from './body.ts'
import { errorAnswer } from './errorAnswer.ts'
import { fixedHeaders, readableBy } from './headers.ts'
import { limitHeaders } from './limitHeaders.ts'

type OverloadDeps = Pick<Deps, 'clock' | 'config' | 'lifecycle' | 'log' | 'metrics'>

const reportEveryMs = 1_000
/** Bursts find room in time; and whoever waits does not ask again at once, as the refused would. */
const waitMs = 1_000
/** About 50 MB of requests. */
const waitingMax = 5_000

const labels = { operation: 'other', status: '503', code: 'SERVICE_UNAVAILABLE' }

/**
 * Lets requests in as long as there is room, has the others wait a second for it, and then answers
 * them 503 before anything is done for them: what is refused must cost next to nothing, or refusing
 * it would be the overload (decision 163). Probes are always let in, and nothing else: the router
 * reads more spellings of a path than a look at it from here would (decision 490).
 */
export function refuseOverload(deps: OverloadDeps, handle: RequestListener): RequestListener {
  const { admit, inProgress } = admission(deps.config.requestsInProgressMax, () => letIn())
  deps.metrics.watchRequests(inProgress, deps.config.requestsInProgressMax)
  const { wait, letIn } = waitingRoom(admit, handle, refusing(deps, inProgress))
  return (request, response) => {
    if (probePaths.has(request.url ?? '') || admit(request, response)) handle(request, response)
    else wait(request, response)
  }
}

type Exchange = Parameters<RequestListener>

/**
 * Keeps requests for as long as they may wait for a place. The newest gets the first: under lasting
 * overload what is let in is then answered soon, instead of each after the longest wait.
 */
function waitingRoom(
  admit: (...exchange: Exchange) => boolean,
  handle: RequestListener,
  turnAway: RequestListener,
) {
  const waiting: { exchange: Exchange; timer: NodeJS.Timeout }[] = []
  return {
    wait(...exchange: Exchange) {
      if (waiting.length >= waitingMax) return turnAway(...exchange)
      const timer = setTimeout(() => {
        // All wait equally long, so the one whose time is up is the oldest.
        waiting.shift()
        turnAway(...exchange)
      }, waitMs)
      waiting.push({ exchange, timer })
    },
    letIn() {
      for (let newest = waiting.at(-1); newest !== undefined; newest = waiting.at(-1)) {
        const { exchange, timer } = newest
        const gone = exchange[0].socket.destroyed
        if (!gone && !admit(...exchange)) return
        waiting.pop()
        clearTimeout(timer)
        if (!gone) handle(...exchange)
      }
    },
  }
}

function refusing(deps: OverloadDeps, inProgress: () => number): RequestListener {
  const { lifecycle, log, metrics } = deps
  const answer = commonAnswer(deps)
  let refused = 0
  const report = () => {
    log.warn({ refused, inProgress: inProgress() }, 'overloaded: requests were refused')
    refused = 0
  }
  return (request, response) => {
    const { status, headers, body } = answer()
    const readable = Object.entries(readableBy(request.headers.origin)).flat()
    const mine = ['x-request-id', randomUUID(), ...readable]
    if (lifecycle.draining || !isReadOn(request)) mine.push('connection', 'close')
    response.writeHead(status, headers.concat(mine))
    response.end(body)
    metrics.overloadRefusals.inc()
    metrics.requests.of(labels).value += 1
    // At most one line a second: a line for each refusal would cost more than the refusal.
    if (refused === 0) setTimeout(report, reportEveryMs).unref()
    refused += 1
  }
}

/**
 * Made once for all refusals of a second. Its headers show an unused window, since to ask the limiter
 * would cost what the refusal is to save.
 */
function commonAnswer({ clock, config }: OverloadDeps) {
  const window = unauthenticatedWindow(config.unauthenticatedPerMinute)
  const answer = errorAnswer(new ApiError('SERVICE_UNAVAILABLE'))
  const answerAt = (nowSeconds: number) => {
    const windows = [windowState(window, 0, nowSeconds + window.windowSeconds)]
    const limits = limitHeaders({ nowSeconds, windows })
    const headers = { ...fixedHeaders, ...answer.headers, ...limits }
    return { ...answer, headers: Object.entries(headers).flat().map(String), nowSeconds }
  }
  let made = answerAt(0)
  return () => {
    const nowSeconds = Math.floor(clock.now().getTime() / 1000)
    if (nowSeconds !== made.nowSeconds) made = answerAt(nowSeconds)
    return made
  }
}

/** Whether it is read to its end and dropped, so that the connection can be used again. */
function isReadOn(request: IncomingMessage): boolean {
  const { 'content-length': length, upgrade } = request.headers
  return upgrade === undefined && (!hasBody(request) || Number(length) <= bodyBytesMax)
}
