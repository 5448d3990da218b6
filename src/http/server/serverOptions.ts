import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyHttpOptions } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../../config/environment.ts'
import { bodyBytesMax } from '../../domain/errors.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { trustNetworks } from '../chain/clientNetwork.ts'
import { countAddress, type LimitDeps } from '../chain/requestLimits.ts'
import { sendClientError } from './clientErrors.ts'
import { recordResponse } from './hooks.ts'
import { limitHeaders } from './limitHeaders.ts'
import { standardHeaders } from './responseHeaders.ts'
import { sendError } from './sendError.ts'

const headersMaxBytes = 16 * 1024
const checkIntervalMs = 500
/** Sockets time out after the request timeout, so slow senders receive a 408 first. */
const silenceMarginMs = 1_000
/** Longer than the 60 seconds for which load balancers commonly keep idle connections. */
const keepAliveTimeoutMs = 72_000

interface ServerDeps extends LimitDeps {
  readonly config: Config
  readonly log: Logger
  readonly metrics: Metrics
}

/**
 * Returns the options of the HTTP server. They replace the default error responses of Fastify and
 * Node, so that every error has the format of the API.
 */
export function serverOptions(deps: ServerDeps): FastifyHttpOptions<Server> {
  const { config } = deps
  return {
    // `recordResponse` logs requests; Fastify's logger would create a child logger for each.
    logger: false,
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy.length > 0 && trustNetworks(config.trustProxy),
    bodyLimit: bodyBytesMax,
    // A long id must get the 400 of a malformed id, not the 404 of an unknown path.
    routerOptions: { maxParamLength: headersMaxBytes },
    return503OnClosing: false,
    serverFactory: (handle) => {
      const options = {
        keepAliveTimeout: keepAliveTimeoutMs,
        requestTimeout: config.requestTimeoutMs,
        headersTimeout: config.headersTimeoutMs,
        connectionsCheckingInterval: checkIntervalMs,
        maxHeaderSize: headersMaxBytes,
      }
      const server = createServer(options, oneAtATime(handle))
      // By default, Node drops further headers silently, `Origin` among them. Their size is limited.
      server.maxHeadersCount = 0
      return server.setTimeout(config.requestTimeoutMs + silenceMarginMs)
    },
    // Fastify runs no hooks for paths it cannot parse.
    frameworkErrors: async (error, request, reply) => {
      reply.headers(standardHeaders(request.id, request.headers.origin))
      reply.raw.once('finish', () => recordResponse(deps, request, reply))
      const limited = await countAddress(deps, request).catch((refused: unknown) => refused)
      if (request.limitDecision) reply.headers(limitHeaders(request.limitDecision))
      sendError(deps.log, limited ?? error, reply)
    },
    clientErrorHandler: (error, socket) => sendClientError(deps, error, socket),
  }
}

/** Far more requests than a client pipelines on one connection. */
const pipelinedMax = 100

/**
 * Handles the pipelined requests of a connection one at a time, so that the server processes no
 * further request of a client that does not read its responses, and reads other connections between
 * two of them. A connection with too many requests waiting is closed
 * (docs/decisions.md#one-request-of-a-connection-at-a-time).
 */
function oneAtATime(handle: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, (() => void)[]>()
  return (request, response) => {
    // Null while an earlier response of the connection is unfinished.
    if (response.socket !== null) return handle(request, response)
    const socket: Socket & { readonly _httpMessage?: ServerResponse } = request.socket
    // Node still parses data that arrived before `destroy` below.
    if (socket.destroyed) return
    const begin = () => {
      response.once('close', beginNext)
      handle(request, response)
    }
    const beginNext = () => {
      const next = waiting.get(socket)?.shift()
      if (next === undefined) waiting.delete(socket)
      else setImmediate(() => socket.writable && next())
    }
    const queue = waiting.get(socket)
    if (queue === undefined) {
      waiting.set(socket, [begin])
      socket._httpMessage?.once('close', beginNext)
    } else if (queue.push(begin) >= pipelinedMax) socket.destroy()
  }
}
