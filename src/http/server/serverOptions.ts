import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyHttpOptions } from 'fastify'
import { bodyBytesMax } from '../../domain/errors.ts'
import type { Deps } from '../chain/dependencies.ts'
import { countAddress } from '../chain/limits.ts'
import { sendClientError } from './clientErrors.ts'
import { recordResponse } from './hooks.ts'
import { limitHeaders } from './limitHeaders.ts'
import { standardHeaders } from './responseHeaders.ts'
import { sendError } from './sendError.ts'

const headersMaxBytes = 16 * 1024
const checkIntervalMs = 500
/** A client that sends too slowly is told so; one that does not read its answer is cut off a second later. */
const silenceMarginMs = 1_000
/** Longer than the minute for which load balancers commonly keep connections. */
const keepAliveTimeoutMs = 72_000

/**
 * Options of the HTTP server. Several are here so that no answer leaves our envelope: by default
 * the framework and Node answer bad paths, parse errors and closing connections in their own words.
 */
type ServerDeps = Pick<Deps, 'config' | 'limiter' | 'log' | 'metrics'>

export function serverOptions(deps: ServerDeps): FastifyHttpOptions<Server> {
  const { config } = deps
  return {
    // We write our own lines: the framework would make a logger for each request.
    logger: false,
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    bodyLimit: bodyBytesMax,
    // A long id gets the 400 of any wrong id, not the 404 of a path that nobody serves.
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
      return server.setTimeout(config.requestTimeoutMs + silenceMarginMs)
    },
    // Hooks don't run for paths that can't be routed.
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

/** Many times what any client sends ahead. */
const aheadMax = 100

/**
 * Handles the requests of a connection one after the other, each when the answer to the one before
 * has been taken: whoever asks ahead keeps nobody else waiting, and whoever reads nothing has
 * nothing done for him. Who asks too far ahead is cut off, since Node reads on (decision 307).
 */
function oneAtATime(handle: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, (() => void)[]>()
  return (request, response) => {
    // Null while an earlier request of the connection has no answer yet: this one waits.
    if (response.socket !== null) return handle(request, response)
    const socket: Socket & { readonly _httpMessage?: ServerResponse } = request.socket
    // Cut off below; Node still parses what had arrived.
    if (socket.destroyed) return
    const begin = () => {
      response.once('close', beginNext)
      handle(request, response)
    }
    const beginNext = () => {
      const next = waiting.get(socket)?.shift()
      if (next === undefined) waiting.delete(socket)
      else if (socket.writable) next()
    }
    const ahead = waiting.get(socket)
    if (ahead === undefined) {
      waiting.set(socket, [begin])
      socket._httpMessage?.once('close', beginNext)
    } else if (ahead.push(begin) >= aheadMax) socket.destroy()
  }
}
